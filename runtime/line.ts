/** One task that waits for its turn. */
export interface Waiting<T> {
  clientId: string
  value: T
}

export interface LineLimits {
  /** Tasks in progress at once. */
  running: number
  /** Of these, tasks of one client; one when three quarters of the places are occupied. */
  runningOfOne: number
  /** Of one client while no other has a task; by default `runningOfOne`. */
  runningAlone?: number | undefined
}

/** Decides who is next: clients take turns, so that one with many tasks delays only itself. */
export interface Line<T> {
  add(entry: Waiting<T>): void
  /** The next task that may begin now; it counts as running until `done`. */
  next(): Waiting<T> | undefined
  done(entry: Waiting<T>): void
}

interface Queue<T> {
  /** The next task is the last one here; when there is none, all that came since are turned round and moved here. */
  next: Waiting<T>[]
  /**
   * The tasks that came since, in their order. With one list, each task that begins would move all that wait: a batch can
   * bring ten thousand.
   */
  came: Waiting<T>[]
  running: number
  /** Number of its last turn. */
  turn: number
}

export const createLine = <T>(limits: LineLimits): Line<T> => new ClientLine<T>(limits)

class ClientLine<T> implements Line<T> {
  readonly #limits: LineLimits
  readonly #queues = new Map<string, Queue<T>>()
  #running = 0
  #turns = 0

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  add(entry: Waiting<T>): void {
    const queue = this.#queues.get(entry.clientId) ?? { next: [], came: [], running: 0, turn: 0 }
    this.#queues.set(entry.clientId, queue)
    queue.came.push(entry)
  }

  next(): Waiting<T> | undefined {
    const queue = this.#best()
    if (!queue) return undefined
    if (queue.next.length === 0) [queue.next, queue.came] = [queue.came.reverse(), []]
    const entry = queue.next.pop()
    if (!entry) return undefined
    queue.running += 1
    queue.turn = this.#turns += 1
    this.#running += 1
    return entry
  }

  done(entry: Waiting<T>): void {
    this.#running -= 1
    const queue = this.#queues.get(entry.clientId)
    if (!queue) return
    queue.running -= 1
    if (queue.running === 0 && !isWaiting(queue)) this.#queues.delete(entry.clientId)
  }

  #best(): Queue<T> | undefined {
    let found: Queue<T> | undefined
    for (const queue of this.#queues.values()) {
      if (this.#mayRun(queue) && (!found || isBefore(queue, found))) found = queue
    }
    return found
  }

  #mayRun(queue: Queue<T>): boolean {
    if (!isWaiting(queue) || this.#running >= this.#limits.running) return false
    const { running, runningOfOne, runningAlone = runningOfOne } = this.#limits
    const isCrowded = this.#running * 4 >= running * 3
    return queue.running < (isCrowded ? 1 : this.#queues.size === 1 ? runningAlone : runningOfOne)
  }
}

const isWaiting = <T>({ next, came }: Queue<T>): boolean => next.length + came.length > 0

/** The client with fewer tasks in progress goes first, then the one whose last turn was earliest. */
function isBefore<T>(one: Queue<T>, other: Queue<T>): boolean {
  return one.running === other.running ? one.turn < other.turn : one.running < other.running
}
