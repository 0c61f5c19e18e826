import { Life } from './life.ts'
import type { Scheduler } from './scheduler.ts'

/** Where one program runs, life after life. */
export class Machine<P> {
  readonly name: string
  life: Life | undefined
  program: P | undefined
  /** Milliseconds that the clock of this machine is wrong by. */
  skewMs = 0
  readonly #scheduler: Scheduler
  readonly #program: (life: Life) => P

  constructor(name: string, scheduler: Scheduler, program: (life: Life) => P) {
    this.name = name
    this.#scheduler = scheduler
    this.#program = program
  }

  start(): P {
    const life = new Life(this.name, this.#scheduler, this.skewMs)
    this.life = life
    this.program = this.#program(life)
    return this.program
  }

  skew(ms: number): void {
    this.skewMs = ms
    if (this.life) this.life.skewMs = ms
  }
}
