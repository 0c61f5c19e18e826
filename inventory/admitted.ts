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
}

interface OfClient {
  since: Tally
  waiting: Tally
  entries: Map<string, Entry>
}

/** Batches that a process remembers at most; the smallest jobs beyond them count as average ones. */
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
    const entry: Entry = { ...upload, jobId: undefined, storedAt: Infinity, isOver: false }
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
    for (const entry of older.splice(Math.min(messages, this.#most))) this.#end(entry)
    this.#older = older
    this.#largestRecent = [...this.#recent].reduce((most, { job }) => Math.max(most, job), 0)
    return fresh
  }

  compare(clientId: string, listed: Listed): number {
    if (!this.#ofOthers.has(listed)) this.#endMissing(this.#of(clientId).entries.values(), listed)
    return this.#others(listed).get(clientToken(clientId)) ?? 0
  }

  compareAll(listed: Listed): ReadonlyMap<string, number> {
    if (!this.#ofOthers.has(listed)) this.#endMissing(this.#older, listed)
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

  #endMissing(entries: Iterable<Entry>, { at, jobs }: Listed): void {
    for (const entry of entries) if (!entry.isOver && entry.storedAt < at && !jobs.has(entry.jobId!)) this.#end(entry)
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
    for (const { waiting } of [this.#all, client]) addTo(waiting, entry)
    this.#leaveRecent(entry)
    const before = client.entries.get(entry.jobId!)
    if (before) this.#end(before)
    client.entries.set(entry.jobId!, entry)
    return before === undefined
  }

  #end(entry: Entry): void {
    const client = this.#of(entry.clientId)
    entry.isOver = true
    client.entries.delete(entry.jobId!)
    for (const { waiting } of [this.#all, client]) takeFrom(waiting, entry)
    this.#forgetEmpty(entry.clientId, client)
  }

  #forgetEmpty(clientId: string, { since, waiting }: OfClient): void {
    if (since.count + waiting.count === 0) this.#clients.delete(clientToken(clientId))
  }
}

const ofClient = (): OfClient => ({ since: noTally(), waiting: noTally(), entries: new Map() })
const NOBODY = ofClient()
