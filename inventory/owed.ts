import type { Admission } from './admission.ts'
import { createAdmitted, type Admitted, type Listed } from './admitted.ts'
import { SHORTEST_JOB } from './job-bytes.ts'
import { JOBS, VEHICLES, type Counts, type Fill, type Reading } from './room-readings.ts'
import { BATCHES, clientToken } from './storage.ts'

/** A message beyond its body: its subject and its headers. */
const MESSAGE = 320

/**
 * What the stores have and are owed: bytes that the batches which were admitted and wait will add to them. The vehicles of a
 * batch count as if each were new.
 */
export class Owed {
  readonly #admitted: Admitted
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
    for (const { vehicles, batch } of shown)
      this.#frames = { count: this.#frames.count + 1, bytes: this.#frames.bytes + vehicles - batch }
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
   * Bytes that a client has in a store and owes it; while no worker says how many it has, as many average entries, or what a worker said last
   * where that is more: a client that keeps workers busy must not become small. Of batches that other processes admitted, each counts
   * as an average one, and its job as in the total.
   */
  ofClient(clientId: string, name: string, { waiting: listed, stored }: Counts): number {
    const ofOthers = this.#admitted.compare(clientId, listed)
    const [since, waiting] = [this.#admitted.since(clientId), this.#admitted.waiting(clientId)]
    const batches = since.batch + waiting.batch + (since.count + waiting.count) * MESSAGE
    const owed = batches + ofOthers * this.#averageOf(BATCHES)
    if (name === BATCHES) return owed
    const { entries, bytes, former = 0 } = stored.get(name) ?? { entries: 0 }
    const countedOr = (average: number) => bytes ?? Math.max(former, average)
    if (name === VEHICLES) {
      const ofOther = this.#averageOf(BATCHES) + this.#averageFrames()
      return countedOr(entries * this.#averageOf(name)) + since.vehicles + waiting.vehicles + ofOthers * ofOther
    }
    if (name !== JOBS) return entries * this.#averageOf(name)
    const jobOfOther = this.#jobOfOther(this.#admitted.averageJob(clientToken(clientId)))
    return countedOr(this.#averageJobs(entries, listed)) + waiting.job + since.job + ofOthers * jobOfOther
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

  /** Bytes of so many jobs, of which a batch that waits has a short one already, and the others are average ones that are done. */
  #averageJobs(entries: number, { jobs }: Listed): number {
    const begun = Math.min(entries, jobs.size)
    return begun * (SHORTEST_JOB + MESSAGE) + (entries - begun) * this.#averageEnded()
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
