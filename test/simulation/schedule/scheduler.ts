import type { Cancel } from '#runtime/clock.ts'
import type { Chance } from './chance.ts'
import { outside } from './outside.ts'

/** Something that can happen next: a request arrives, an answer arrives, an event is delivered. */
interface Action {
  name: string
  run: () => void
}

interface Timer {
  at: number
  order: number
  run: () => void
}

/** Of the steps at which something could happen at once, those at which time passes all the same: by default. */
const TIME_PASSES = 0.01

/** Decides, by one source of chance, what happens next: one thing at a time, then whatever follows from it at once. */
export class Scheduler {
  /** Milliseconds since the simulation began. */
  time = 0
  steps = 0
  readonly #chance: Chance
  readonly #timePasses: number
  readonly #actions: Action[] = []
  readonly #timers = new Timers()

  constructor(chance: Chance, timePasses = TIME_PASSES) {
    this.#chance = chance
    this.#timePasses = timePasses
  }

  /** Lets something happen at any later step. */
  offer(name: string, run: () => void): void {
    this.#actions.push({ name, run })
  }

  /** Lets something happen in `ms` milliseconds. */
  after(ms: number, run: () => void): Cancel {
    return this.#timers.add(this.time + Math.max(0, ms), run)
  }

  /** One step; answers what happened. Throws when a program used something that no seed decides. */
  async step(): Promise<string> {
    this.steps += 1
    const name = this.#next()
    // What the step set free runs to where it waits for the next one.
    await new Promise((resolve) => outside.ours(() => setImmediate(resolve)))
    const escaped = outside.found()
    if (escaped) throw escaped
    return name
  }

  #next(): string {
    const isTime = this.#actions.length === 0 || this.#chance() < this.#timePasses
    const timer = isTime ? this.#timers.next() : undefined
    if (timer) {
      this.time = Math.max(this.time, timer.at)
      timer.run()
      return 'time'
    }
    const at = Math.floor(this.#chance() * this.#actions.length)
    const action = this.#actions[at]
    if (!action) return 'nothing'
    // The order of the others does not matter: each is as likely as the next.
    const last = this.#actions.pop() as Action
    if (last !== action) this.#actions[at] = last
    action.run()
    return action.name
  }
}

/** Timers by time, those of one time in the order in which they were set: a binary heap. */
class Timers {
  readonly #heap: (Timer & { isCancelled: boolean })[] = []
  #added = 0

  add(at: number, run: () => void): Cancel {
    const timer = { at, run, order: (this.#added += 1), isCancelled: false }
    this.#heap.push(timer)
    this.#up(this.#heap.length - 1)
    return () => {
      timer.isCancelled = true
      timer.run = () => undefined
    }
  }

  next(): Timer | undefined {
    for (let timer = this.#take(); timer; timer = this.#take()) if (!timer.isCancelled) return timer
    return undefined
  }

  #take() {
    const first = this.#heap[0]
    const last = this.#heap.pop()
    if (last && first !== last) {
      this.#heap[0] = last
      this.#down(0)
    }
    return first
  }

  #up(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #down(from: number): void {
    for (let at = from; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const child = right < this.#heap.length && this.#isBefore(right, left) ? right : left
      if (child >= this.#heap.length || !this.#isBefore(child, at)) return
      this.#swap(at, child)
      at = child
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#heap[a] as Timer, this.#heap[b] as Timer]
    return x.at < y.at || (x.at === y.at && x.order < y.order)
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap as [Timer & { isCancelled: boolean }]
    ;[heap[a], heap[b]] = [heap[b] as never, heap[a] as never]
  }
}
