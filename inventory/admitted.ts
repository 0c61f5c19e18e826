import { addTo, noTally, takeFrom, type Admission, type Tally } from './admission.ts'
import { clientToken } from './storage.ts'

/** What one process has admitted, and what of it may still wait: no reading of the stores shows what that will add. */
export interface Admitted {
  /** Counts an upload; `stored` resolves with the job once its batch is in the queue, with undefined where it never will be. */
  add(upload: Admission, stored: Promise<string | undefined>): void
  /**
   * Takes a reading of the queue, which began `at` and found this number of messages, as the present one; returns the uploads that it is
   * the first to show.
   */
  settle(reading: { at: number; messages: number }): readonly Admission[]
  /** Takes a list of the client's batches that wait: no others do. Returns how many of them other processes admitted. */
  compare(clientId: string, listed: Listed): number
  /** Takes a list of all batches that wait. Returns how many of each client other processes admitted, by its token in subjects. */
  compareAll(listed: Listed): ReadonlyMap<string, number>
  /** What the reading may not show, of one client or of all. */
  since(clientId?: string): Readonly<Tally>
  /** What the reading shows and may still wait, of one client or of all. */
  waiting(clientId?: string): Readonly<Tally>
  /** Bytes of the average job of a client that waits, by its token; 0 where none does. */
  averageJob(token: string): number
  /** No job that waits has more bytes. */
  largestJob(): number
}

/** The jobs of all batches that wait, of one client or of all, each with the token of its client, as a look that began `at` found them. */
export interface Listed {
  at: number
  jobs: ReadonlyMap<string, string>
}

interface Entry extends Admission {
  /** Undefined until the batch is in the queue. */
  jobId: string | undefined
  /** Infinity until the batch is in the queue. */
  storedAt: number
  isOver: boolean
  /** Part of what waits, unless the queue has too few messages for it to wait as well. */
  isCounted: boolean
}

interface OfClient {
  since: Tally
  waiting: Tally
  entries: Map<string, Entry>
}

/** Batches that a process remembers at most, and as many that seem to be done; beyond them, they count as average ones. */
const MOST_REMEMBERED = 100_000

export function createAdmitted(now: () => number, mostRemembered = MOST_REMEMBERED): Admitted {
  return new AdmittedUploads(now, mostRemembered)
}

class AdmittedUploads implements Admitted {
  readonly #now: () => number
  readonly #most: number
  readonly #recent = new Set<Entry>()
  /** The largest jobs first. */
  #older: Entry[] = []
  /** Those that seem to be done: a list may say that one of them waits, and that a larger one is done. */
  readonly #doubtful = new Set<Entry>()
  readonly #all = ofClient()
  /** By their tokens in subjects. */
  readonly #clients = new Map<string, OfClient>()
  readonly #ofOthers = new WeakMap<Listed, ReadonlyMap<string, number>>()
  #largestRecent = 0
  #settledAt = -Infinity

  constructor(now: () => number, most: number) {
    this.#now = now
    this.#most = most
  }

  add(upload: Admission, stored: Promise<string | undefined>): void {
    const entry: Entry = { ...upload, jobId: undefined, storedAt: Infinity, isOver: false, isCounted: false }
    const client = this.#of(entry.clientId)
    this.#clients.set(clientToken(entry.clientId), client)
    this.#recent.add(entry)
    this.#largestRecent = Math.max(this.#largestRecent, entry.job)
    for (const { since } of [this.#all, client]) addTo(since, entry)
    void stored.then((jobId) => {
      if (jobId === undefined) this.#leaveRecent(entry)
      else Object.assign(entry, { jobId, storedAt: this.#now() })
    })
  }

  settle({ at, messages }: { at: number; messages: number }): readonly Admission[] {
    if (at <= this.#settledAt) return []
    this.#settledAt = at
    const shown = [...this.#recent].filter(({ storedAt }) => storedAt < at)
    const fresh = shown.filter((entry) => this.#show(entry))
    const older = [...this.#older, ...shown].filter(({ isOver }) => !isOver).sort((one, other) => other.job - one.job)
    // Nobody knows which of them still wait: as many of the largest as there are messages take no less.
    for (const entry of older.splice(Math.min(messages, this.#most))) this.#doubt(entry)
    this.#older = older
    if (messages === 0) for (const entry of this.#doubtful) this.#end(entry)
    this.#largestRecent = [...this.#recent].reduce((most, { job }) => Math.max(most, job), 0)
    return fresh
  }

  compare(clientId: string, listed: Listed): number {
    if (!this.#ofOthers.has(listed)) this.#compareWith(listed, [...this.#of(clientId).entries.values()])
    return this.#others(listed).get(clientToken(clientId)) ?? 0
  }

  compareAll(listed: Listed): ReadonlyMap<string, number> {
    if (!this.#ofOthers.has(listed)) this.#compareWith(listed, [...this.#older, ...this.#doubtful])
    return this.#others(listed)
  }

  since(clientId?: string): Readonly<Tally> {
    return clientId === undefined ? this.#all.since : this.#of(clientId).since
  }

  waiting(clientId?: string): Readonly<Tally> {
    return clientId === undefined ? this.#all.waiting : this.#of(clientId).waiting
  }

  averageJob(token: string): number {
    const { since, waiting } = this.#clients.get(token) ?? NOBODY
    return (since.job + waiting.job) / Math.max(1, since.count + waiting.count)
  }

  largestJob(): number {
    return Math.max(this.#largestRecent, this.#older[0]?.job ?? 0)
  }

  #of(clientId: string): OfClient {
    return this.#clients.get(clientToken(clientId)) ?? ofClient()
  }

  #compareWith({ at, jobs }: Listed, entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (entry.isOver || entry.storedAt >= at) continue
      if (!jobs.has(entry.jobId!)) this.#end(entry)
      else if (!entry.isCounted) this.#countAgain(entry)
    }
  }

  #countAgain(entry: Entry): void {
    this.#doubtful.delete(entry)
    this.#count(entry, this.#of(entry.clientId))
    if (entry.job > this.largestJob()) this.#older.unshift(entry)
    else this.#older.push(entry)
  }

  #count(entry: Entry, client: OfClient): void {
    entry.isCounted = true
    for (const { waiting } of [this.#all, client]) addTo(waiting, entry)
  }

  #doubt(entry: Entry): void {
    this.#uncount(entry)
    this.#doubtful.add(entry)
    const [oldest] = this.#doubtful
    if (this.#doubtful.size > this.#most) this.#end(oldest!)
  }

  #uncount(entry: Entry): void {
    if (!entry.isCounted) return
    entry.isCounted = false
    for (const { waiting } of [this.#all, this.#of(entry.clientId)]) takeFrom(waiting, entry)
  }

  #others(listed: Listed): ReadonlyMap<string, number> {
    const known = this.#ofOthers.get(listed)
    if (known) return known
    const recent = new Set([...this.#recent].map(({ jobId }) => jobId))
    const others = new Map<string, number>()
    for (const [jobId, token] of listed.jobs) {
      const isOurs = recent.has(jobId) || this.#clients.get(token)?.entries.has(jobId)
      if (!isOurs) others.set(token, (others.get(token) ?? 0) + 1)
    }
    this.#ofOthers.set(listed, others)
    return others
  }

  #leaveRecent(entry: Entry): void {
    const client = this.#of(entry.clientId)
    this.#recent.delete(entry)
    for (const { since } of [this.#all, client]) takeFrom(since, entry)
    this.#forgetEmpty(entry.clientId, client)
  }

  /** Whether the queue has a batch more: a request that was repeated with its key stores none. */
  #show(entry: Entry): boolean {
    const client = this.#of(entry.clientId)
    const before = client.entries.get(entry.jobId!)
    if (before) this.#end(before)
    client.entries.set(entry.jobId!, entry)
    this.#count(entry, client)
    this.#leaveRecent(entry)
    return before === undefined
  }

  #end(entry: Entry): void {
    const client = this.#of(entry.clientId)
    this.#uncount(entry)
    entry.isOver = true
    this.#doubtful.delete(entry)
    client.entries.delete(entry.jobId!)
    this.#forgetEmpty(entry.clientId, client)
  }

  #forgetEmpty(clientId: string, { since, entries }: OfClient): void {
    if (since.count + entries.size === 0) this.#clients.delete(clientToken(clientId))
  }
}

const ofClient = (): OfClient => ({ since: noTally(), waiting: noTally(), entries: new Map() })
const NOBODY = ofClient()
