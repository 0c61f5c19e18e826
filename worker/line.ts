/** One batch that waits for its turn. */
export interface Waiting<T> {
  clientId: string
  bytes: number
  value: T
}

export interface LineLimits {
  /** Batches that are worked on at once. */
  running: number
  /** Of these, of one client; when three quarters of the places are taken, one. */
  runningOfOne: number
  /** Bytes of the batches that are worked on at once; a larger one runs alone. */
  runningBytes: number
  /** Batches that wait here. */
  waiting: number
}

/** Who is next: each client in its turn, so that one with much to do holds up only itself. */
export interface Line<T> {
  add(entry: Waiting<T>): void
  /** The next batch that may be worked on now; it counts as running until `done`. */
  next(): Waiting<T> | undefined
  done(entry: Waiting<T>): void
  /** How many more may wait. */
  room(): number
  /**
   * When the line is full and nobody in it may be next: the newer half of what the client with the most waiting has,
   * taken out, to make room to see whom else there is.
   */
  takeSurplus(): Waiting<T>[]
  /** Takes out all that wait. */
  clear(): Waiting<T>[]
}

interface Queue<T> {
  waiting: Waiting<T>[]
  running: number
  /** Number of the last turn it had. */
  turn: number
}

export const createLine = <T>(limits: LineLimits): Line<T> => new ClientLine<T>(limits)

class ClientLine<T> implements Line<T> {
  readonly #limits: LineLimits
  readonly #queues = new Map<string, Queue<T>>()
  #running = 0
  #runningBytes = 0
  #waiting = 0
  #turns = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  add(entry: Waiting<T>): void {
    const queue = this.#queues.get(entry.clientId) ?? { waiting: [], running: 0, turn: 0 }
    this.#queues.set(entry.clientId, queue)
    queue.waiting.push(entry)
    this.#waiting += 1
  }

  next(): Waiting<T> | undefined {
    const queue = this.#best()
    const entry = queue?.waiting.shift()
    if (!queue || !entry) return undefined
    queue.running += 1
    queue.turn = this.#turns += 1
    this.#waiting -= 1
    this.#running += 1
    this.#runningBytes += entry.bytes
    return entry
  }

  done(entry: Waiting<T>): void {
    this.#running -= 1
    this.#runningBytes -= entry.bytes
    const queue = this.#queues.get(entry.clientId)
    if (!queue) return
    queue.running -= 1
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(entry.clientId)
  }

  room(): number {
    return Math.max(0, this.#limits.waiting - this.#waiting)
  }

  takeSurplus(): Waiting<T>[] {
    if (this.#waiting < this.#limits.waiting || this.#best()) return []
    const queues = [...this.#queues.values()]
    const longest = queues.reduce((one, other) => (other.waiting.length > one.waiting.length ? other : one))
    const taken = longest.waiting.splice(Math.ceil(longest.waiting.length / 2))
    this.#waiting -= taken.length
    return taken
  }

  clear(): Waiting<T>[] {
    this.#waiting = 0
    return [...this.#queues.values()].flatMap(({ waiting }) => waiting.splice(0))
  }

  #best(): Queue<T> | undefined {
    let found: Queue<T> | undefined
    for (const queue of this.#queues.values()) {
      if (this.#mayRun(queue) && (!found || isBefore(queue, found))) found = queue
    }
    return found
  }

  #mayRun({ waiting, running }: Queue<T>): boolean {
    const [first] = waiting
    if (!first || this.#running >= this.#limits.running) return false
    const isCrowded = this.#running * 4 >= this.#limits.running * 3
    if (running >= (isCrowded ? 1 : this.#limits.runningOfOne)) return false
    return this.#running === 0 || this.#runningBytes + first.bytes <= this.#limits.runningBytes
  }
}

/** Fewer running goes first, then the one whose last turn is longest ago. */
function isBefore<T>(one: Queue<T>, other: Queue<T>): boolean {
  return one.running === other.running ? one.turn < other.turn : one.running < other.running
}
