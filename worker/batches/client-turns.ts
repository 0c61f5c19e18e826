/** Limits of what one worker does at once. */
export interface TurnLimits {
  /** Batches in progress. */
  running: number
  /** The most of these of one client, while others wait too. */
  runningOfOne: number
  /** Batches that wait for pictures, and their bytes; these occupy no place. */
  loading: number
  loadingBytes: number
}

/** A place that one batch occupies while it is processed. */
export interface Place {
  /**
   * Frees the place while the batch waits for pictures; false when the client already has its share of waiting batches.
   */
  leave(bytes: number): boolean
  /** Resolves when a batch that left has a place again. */
  comeBack(): Promise<void>
  /** The batch no longer needs a place, whether it has one or left. */
  end(): void
}

interface Client {
  running: number
  /** How many batches the client was told to have stored, ever. */
  told: number
  /** That number at each request without an answer, the oldest first; the server answers them in their order. */
  asked: number[]
  /** Waiting batches of this client, as far as this worker knows. */
  waiting: number
  loading: number
  loadingBytes: number
  /** Number of its last turn. */
  turn: number
  /** When batches that were put aside come back. Nobody tells of them. */
  aside: number[]
  /** How many requests in a row found no batch, and when to ask again. */
  dry: number
  askAgainAt: number
}

const FIRST_ASKING_MS = 50
const LONGEST_ASKING_MS = 2_000
/** After this many empty answers, ask whether the client has any batches left. */
const DRY_TILL_DOUBT = 4

/**
 * Decides whose batch is next. Clients take turns, so a client with many batches delays another client by one batch at
 * most. Has no effects itself; `now` is in milliseconds.
 */
export class ClientTurns {
  readonly #limits: TurnLimits
  readonly #clients = new Map<string, Client>()
  /** Batches that left and request a place again, in the order of their requests. */
  readonly #returning = new Set<() => void>()
  #running = 0
  #loading = 0
  #loadingBytes = 0
  #turns = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /** A batch of the client was stored. */
  tell(token: string): void {
    const client = this.#client(token)
    client.told += 1
    client.waiting += 1
    client.dry = 0
  }

  /** A batch of the client was put aside, and the server delivers it again from this time on. */
  putAside(token: string, till: number): void {
    this.#client(token).aside.push(till)
  }

  /** The number of batches of each client in the stream, in any worker's hands or none. */
  learn(counts: ReadonlyMap<string, number>): void {
    for (const [token, count] of counts) {
      const client = this.#client(token)
      if (client.waiting === 0) client.waiting = Math.max(0, count - client.running - client.loading)
    }
  }

  /** The client to ask for its next batch now; it occupies a place until `delivered`, `nothing` or `end`. */
  next(now: number): string | undefined {
    this.#letBack()
    for (const [token, { aside }] of this.#clients) if (aside.length > 0) this.#takeUp(token, now)
    let best: [string, Client] | undefined
    const busy = [...this.#clients.values()].filter((client) => isBusy(client, now)).length
    for (const [token, client] of this.#clients) {
      if (this.#mayAsk(client, { now, busy }) && (!best || isBefore(client, best[1]))) best = [token, client]
    }
    if (!best) return undefined
    const [token, client] = best
    client.asked.push(client.told)
    client.turn = this.#turns += 1
    this.#running += 1
    return token
  }

  /** The requested batch arrived, with this many of the client behind it. */
  delivered(token: string, waiting: number): Place {
    const client = this.#client(token)
    client.waiting = Math.max(waiting, answered(client))
    client.running += 1
    client.dry = 0
    return this.#place(client)
  }

  /** The request found no batch; returns true when it is time to check whether the client has any left. */
  nothing(token: string, now: number): boolean {
    const client = this.#client(token)
    client.waiting = answered(client)
    this.#running -= 1
    client.dry += 1
    client.askAgainAt = now + Math.min(LONGEST_ASKING_MS, FIRST_ASKING_MS * 4 ** (client.dry - 1))
    return client.dry >= DRY_TILL_DOUBT && client.running + client.asked.length + client.loading === 0
  }

  /** The client has no batches left. */
  forget(token: string): void {
    const client = this.#clients.get(token)
    if (client && client.waiting + client.running + client.asked.length + client.loading + client.aside.length === 0)
      this.#clients.delete(token)
  }

  #client(token: string): Client {
    const none = { told: 0, waiting: 0, running: 0, loading: 0, loadingBytes: 0, turn: 0, dry: 0, askAgainAt: 0 }
    const fresh = { ...none, asked: [], aside: [] }
    const client = this.#clients.get(token) ?? fresh
    this.#clients.set(token, client)
    return client
  }

  #takeUp(token: string, now: number): void {
    const client = this.#client(token)
    const back = client.aside.filter((till) => till <= now)
    client.aside = client.aside.filter((till) => till > now)
    back.forEach(() => this.tell(token))
  }

  #letBack(): void {
    for (const back of this.#returning) {
      if (this.#running >= this.#limits.running) return
      this.#returning.delete(back)
      back()
    }
  }

  #mayAsk(client: Client, { now, busy }: { now: number; busy: number }): boolean {
    const { running, runningOfOne } = this.#limits
    if (!hasMore(client, now) || this.#running >= running) return false
    // The last quarter of the places is reserved for clients that have none.
    const isCrowded = this.#running * 4 >= running * 3
    const most = isCrowded ? 1 : busy > 1 ? runningOfOne : running
    const isBelow = client.running + client.asked.length < most
    return isBelow && this.#mayLoad(client, { bytes: averageOf(client), coming: comingOf(client) })
  }

  /**
   * A client gets at most what is left for all others, so the first never gets everything (Choudhury and Hahne, dynamic
   * thresholds, 1998). `coming` more batches of the client, as large, may get room before this one.
   */
  #mayLoad(client: Client, { bytes, coming = 0 }: { bytes: number; coming?: number }): boolean {
    const { loading, loadingBytes } = this.#limits
    const [left, bytesLeft] = [loading - this.#loading - coming, loadingBytes - this.#loadingBytes - bytes * coming]
    return client.loading + coming < left && client.loadingBytes + bytes * (coming + 1) <= bytesLeft
  }

  #place(client: Client): Place {
    let state: 'here' | 'left' | 'ended' = 'here'
    let loads = 0
    const back = Promise.withResolvers<void>()
    const comeBack = () => {
      state = 'here'
      this.#load(client, -1, loads)
      this.#hold(client, 1)
      back.resolve()
    }
    return {
      leave: (bytes) => {
        if (!this.#mayLoad(client, { bytes })) return false
        loads = bytes
        state = 'left'
        this.#hold(client, -1)
        this.#load(client, 1, loads)
        return true
      },
      comeBack: () => {
        this.#returning.add(comeBack)
        this.#letBack()
        return back.promise
      },
      end: () => {
        this.#returning.delete(comeBack)
        if (state === 'here') this.#hold(client, -1)
        if (state === 'left') this.#load(client, -1, loads)
        state = 'ended'
      },
    }
  }

  #hold(client: Client, count: 1 | -1): void {
    client.running += count
    this.#running += count
  }

  #load(client: Client, count: 1 | -1, bytes: number): void {
    client.loading += count
    client.loadingBytes += count * bytes
    this.#loading += count
    this.#loadingBytes += count * bytes
  }
}

/**
 * Takes the oldest request off, and counts the batches that were stored since. They may be none of those that the answer
 * counts: the server may have counted before, and its word of the batch may come first. Without them, such a batch would
 * lie till the next list.
 */
function answered(client: Client): number {
  return client.told - (client.asked.shift() ?? client.told)
}

const hasMore = (client: Client, now: number): boolean =>
  client.waiting > client.asked.length || (client.asked.length === 0 && client.dry > 0 && now >= client.askAgainAt)

const isBusy = (client: Client, now: number): boolean =>
  client.running + client.asked.length > 0 || hasMore(client, now)

const averageOf = ({ loading, loadingBytes }: Client): number => (loading === 0 ? 0 : loadingBytes / loading)

/**
 * The batches of a client in progress that may have pictures, as others of the client have. Without them, a client whose room is
 * nearly full would get a batch for every free place, and all but one would be put aside.
 */
const comingOf = ({ loading, running, asked }: Client): number => (loading === 0 ? 0 : running + asked.length)

/** The client with fewer batches in progress goes first, then the one whose last turn was earliest. */
function isBefore(one: Client, other: Client): boolean {
  const [ones, others] = [one.running + one.asked.length, other.running + other.asked.length]
  return ones === others ? one.turn < other.turn : ones < others
}
