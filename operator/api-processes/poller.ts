import type { Loaded } from '#rates/published/format.ts'
import { systemClock, type Cancel, type Clock } from '#runtime/clock.ts'

/** One API process and what it last answered at `/loaded`; nothing when it did not answer. */
export interface ApiProcess {
  url: string
  loaded?: Loaded
  /** Whether it prices. One that has never answered is taken to: nobody may say of it that it serves the newest. */
  servesRates: boolean
}

export interface LoadedPoller {
  /** One for each address, in order, as of the last round. */
  processes(): readonly ApiProcess[]
  /** Asks at once, and often for a while: something is new. */
  hurry(): void
  stop(): Promise<void>
}

export interface PollerOptions {
  /** Addresses of the processes that there are now. */
  urls: () => readonly string[]
  /** Asks one process; rejects when it does not answer. */
  ask: (url: string) => Promise<Loaded>
  /** Whether something is published that not every process serves. */
  isNew: () => boolean
  onChange: () => void
  /** Milliseconds between rounds while something is new, and otherwise. */
  oftenMs?: number
  rarelyMs?: number
  clock?: Clock
}

/** A process that is away must not be asked four times a second for ever. */
const HURRIED_MS = 120_000

/** Asks every API process what it serves, often while something is new. */
export function startLoadedPoller(options: PollerOptions): LoadedPoller {
  const poller = new Poller(options)
  poller.hurry()
  return poller
}

class Poller implements LoadedPoller {
  readonly #options: PollerOptions
  readonly #clock: Clock
  #processes: readonly ApiProcess[] = []
  #cancel: Cancel | undefined
  #round: Promise<void> | undefined
  #hurriedAt = 0
  #isStopped = false

  constructor(options: PollerOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#processes = this.#present()
  }

  processes(): readonly ApiProcess[] {
    return this.#processes
  }

  hurry(): void {
    this.#hurriedAt = this.#clock.elapsed()
    this.#next(0)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#round
  }

  #next(ms: number): void {
    if (this.#isStopped) return
    this.#cancel?.()
    this.#cancel = this.#clock.after(ms, () => {
      this.#round ??= this.#askAll().finally(() => {
        this.#round = undefined
        this.#next(this.#pause())
      })
    })
  }

  #pause(): number {
    const { isNew, oftenMs = 250, rarelyMs = 10_000 } = this.#options
    return isNew() && this.#clock.elapsed() - this.#hurriedAt < HURRIED_MS ? oftenMs : rarelyMs
  }

  /** The processes that there are now, each with what it last said. */
  #present(): ApiProcess[] {
    const known = new Map(this.#processes.map((process) => [process.url, process]))
    return this.#options.urls().map((url) => known.get(url) ?? { url, servesRates: true })
  }

  async #askAll(): Promise<void> {
    const { ask, onChange } = this.#options
    const answered = await Promise.all(this.#present().map((process) => asked(ask, process)))
    const isSame = JSON.stringify(answered) === JSON.stringify(this.#processes)
    this.#processes = answered
    if (!isSame) onChange()
  }
}

async function asked(ask: PollerOptions['ask'], { url, servesRates }: ApiProcess): Promise<ApiProcess> {
  try {
    const loaded = await ask(url)
    return { url, loaded, servesRates: loaded.parts?.includes('rates') ?? true }
  } catch {
    // One that is away for a while is of the kind that it was.
    return { url, servesRates }
  }
}

/** Asks a process on its health port; waits at most a second. */
export async function askLoaded(url: string): Promise<Loaded> {
  const response = await fetch(new URL('/loaded', url), { signal: AbortSignal.timeout(1000) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return (await response.json()) as Loaded
}
