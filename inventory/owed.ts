import type { Admission } from './admission.ts'
import { createAdmitted, type Admitted, type Listed } from './admitted.ts'
import { createEntrySizes } from './entry-sizes.ts'
import { SHORTEST_JOB } from './job-bytes.ts'
import { JOBS, VEHICLES, type Counts, type Fill, type Reading } from './room-readings.ts'
import { BATCHES, clientToken } from './storage.ts'

/** A message beyond its body: its subject and its headers. */
const MESSAGE = 320

/** The jobs again, as long as they are with an error of each item. */
const LONGEST = `${JOBS} at most`

/**
 * What the stores have and are owed: bytes that the batches which were admitted and wait will add to them. The vehicles of a
 * batch count as if each were new.
 */
export class Owed {
  readonly #admitted: Admitted
  readonly #sizes = createEntrySizes()
  #reading: Reading | undefined
  /** What the vehicles of the batches that were admitted are longer than the batches. */
  #frames = { count: 0, bytes: 0 }

  constructor(now: () => number) {
    this.#admitted = createAdmitted(now)
  }

  /** Takes a reading as the present one, unless a later one was. */
  settle(reading: Reading): void {
    if (reading.at <= (this.#reading?.at ?? -Infinity)) return
    this.#reading = reading
    const shown = this.#admitted.settle({ at: reading.at, messages: this.fillOf(BATCHES).messages })
    for (const { clientId, job, usualJob, vehicles, batch } of shown) {
      this.#sizes.add(clientId, LONGEST, { entries: 1, bytes: job })
      this.#sizes.add(clientId, JOBS, { entries: 1, bytes: usualJob })
      this.#frames = { count: this.#frames.count + 1, bytes: this.#frames.bytes + vehicles - batch }
    }
  }

  add(upload: Admission, stored: Promise<string | undefined>): void {
    this.#admitted.add(upload, stored)
  }

  fillOf(name: string): Fill {
    return this.#reading!.fills.get(name)!
  }

  /**
   * Bytes that a store has and is owed. Of batches that other processes admitted, each job counts as the average one that is done, or, if
   * that is more, as the average one of its client that waits here; without a list of whose they are, as the largest one that does.
   */
  totalOf(name: string, listed?: Listed): number {
    const [{ used }, queue, since] = [this.fillOf(name), this.fillOf(BATCHES), this.#admitted.since()]
    const batches = since.batch + since.count * MESSAGE
    if (name === BATCHES) return used + batches
    if (name === VEHICLES) return used + queue.used + since.vehicles + this.#framesOf(queue.messages)
    if (name !== JOBS) return used
    // First: the list corrects what waits here.
    const ofOthers = this.#jobsOfOthers(listed)
    return used + this.#admitted.waiting().job + since.job + ofOthers
  }

  /**
   * Bytes that a client has in a store and owes it. Of batches that other processes admitted, each counts as an average one,
   * and its job as in the total.
   */
  ofClient(clientId: string, name: string, { waiting: listed, entries: counts, vehicleBytes }: Counts): number {
    const ofOthers = this.#admitted.compare(clientId, listed)
    const [since, waiting] = [this.#admitted.since(clientId), this.#admitted.waiting(clientId)]
    const batches = since.batch + waiting.batch + (since.count + waiting.count) * MESSAGE
    const owed = batches + ofOthers * this.#averageOf(BATCHES)
    if (name === BATCHES) return owed
    const entries = counts.get(name) ?? 0
    const stored = entries * this.#averageOf(name)
    if (name === VEHICLES) {
      const ofOther = this.#averageOf(BATCHES) + this.#averageFrames()
      return (vehicleBytes ?? stored) + since.vehicles + waiting.vehicles + ofOthers * ofOther
    }
    if (name !== JOBS) return stored
    // A batch that waits has a record already, which grows when the batch is done.
    const begun = Math.min(entries, listed.jobs.size)
    const ended = this.#endedOf(clientId, entries - begun)
    return (
      ended +
      begun * SHORTEST_JOB +
      waiting.job +
      since.job +
      ofOthers * this.#jobOfOther(this.#admitted.averageJob(clientToken(clientId)))
    )
  }

  /** Bytes by which the vehicles of all batches that wait are longer than these. */
  #framesOf(messages: number): number {
    const { count, vehicles, batch } = this.#admitted.waiting()
    return vehicles - batch + Math.max(0, messages - count) * this.#averageFrames()
  }

  #averageFrames(): number {
    return this.#frames.bytes / Math.max(1, this.#frames.count)
  }

  #jobsOfOthers(listed: Listed | undefined): number {
    if (!listed) {
      const count = this.fillOf(BATCHES).messages - this.#admitted.waiting().count
      return Math.max(0, count) * this.#jobOfOther(this.#admitted.largestJob())
    }
    const counts = [...this.#admitted.compareAll(listed)]
    return counts.reduce((sum, [token, count]) => sum + count * this.#jobOfOther(this.#admitted.averageJob(token)), 0)
  }

  #jobOfOther(waitingHere: number): number {
    return Math.max(this.#averageOf(JOBS), this.#averageEnded(), waitingHere)
  }

  /** Bytes of the average job that is done: the record of a batch that waits is short. */
  #averageEnded(): number {
    const [{ used, messages }, queue] = [this.fillOf(JOBS), this.fillOf(BATCHES)]
    const begun = Math.min(messages, queue.messages)
    if (begun === messages) return 0
    return Math.max(0, used - begun * (SHORTEST_JOB + MESSAGE)) / (messages - begun)
  }

  /** Bytes of a client's jobs that are done: average ones, where their errors are unknown, but no less and no more than they can be. */
  #endedOf(clientId: string, entries: number): number {
    const average = this.#averageEnded()
    const { count, job, usualJob } = this.#admitted.waiting(clientId)
    const sizeOf = (store: string, bytes: number) =>
      this.#sizes.bytesOf(clientId, store, { entries, average, waiting: { entries: count, bytes } })
    return Math.max(sizeOf(JOBS, usualJob), Math.min(sizeOf(LONGEST, job), entries * average))
  }

  /** Takes a list of the client's batches that wait: no others do. */
  compare(clientId: string, listed: Listed): void {
    this.#admitted.compare(clientId, listed)
  }

  #averageOf(name: string): number {
    const { used, messages } = this.fillOf(name)
    return used / Math.max(1, messages)
  }
}
