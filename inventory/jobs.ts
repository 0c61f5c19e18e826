import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KV } from '@nats-io/kv'
import type { Logger } from '#runtime/log.ts'
import { isConflict, isFull } from '#runtime/nats/jetstream-error.ts'
import { oneAfterTheOther } from '#runtime/one-after-the-other.ts'
import { bytesAsJson } from './exact-json.ts'
import { isLongerThanCounted, roomy, SHORTER, withoutLists } from './job-text.ts'
import type { JobRecord, JobResult } from './job.ts'
import { LONGEST_JOB, SHORTEST_JOB } from './job-bytes.ts'
import { jobKey } from './storage.ts'
import { isJob } from './stored-shapes.ts'
import { readAs, unreadableIn, type TellUnreadable } from './unreadable.ts'

export interface HeldJob {
  record: JobRecord
  /** Key of the record in its bucket. */
  key: string
  /** Revision of the record in its bucket; a change applies only to the revision that was read. */
  revision: number
  /** Bytes of its stored text; of a new one those that its text is to have. */
  bytes: number
}

/** The jobs, by their client and id. */
export interface Jobs {
  read(clientId: string, id: string): Promise<HeldJob | undefined>
  /** Stores a new job; an existing job of this id stays. */
  create(record: JobRecord): Promise<void>
  /**
   * Counts another attempt, and creates the job when it does not exist, as `asNew` then makes it; undefined when the job
   * is completed.
   */
  begin(fresh: JobRecord, asNew?: (fresh: JobRecord) => JobRecord): Promise<HeldJob | undefined>
  /**
   * Writes the result, without its lists where there is no room for these, where they are longer than was counted and the bucket is three
   * quarters full, or where they are long and the bucket is nearly full; false when another attempt or the completion
   * has changed the job since it was begun.
   */
  complete(begun: HeldJob, result: JobResult, at: Date): Promise<boolean>
  /** Records why an attempt failed, or takes the attempt back; false when another attempt has begun. */
  endAttempt(begun: HeldJob, end: { failure: string } | 'given back'): Promise<boolean>
}

/** What of the bucket jobs may take that have more errors than were counted: three quarters of nine tenths, so that no client fills it. */
const UNCOUNTED_JOBS = 0.75 * 0.9
/** What it may take with long jobs: processes that admit at the same time can count too little, and nine tenths refuse everybody. */
const LONG_JOBS = 0.875
const LONG = 64 * 1024

/** Bytes of a record that is parsed in another turn of the event loop than it is decoded. */
const LARGE = 256 * 1024

export function jobsIn(bucket: KV, log?: Logger): Jobs {
  const records = recordsIn(bucket, unreadableIn(log, 'a job cannot be read and counts as none'))
  const { look, write } = records
  const inTurn = oneAfterTheOther()
  const writeLong = async (record: JobRecord, place: Omit<HeldJob, 'record'>) => {
    const { size, max_bytes: most } = await bucket.status()
    const share = isLongerThanCounted(record) ? UNCOUNTED_JOBS : LONG_JOBS
    return write(size + bytesAsJson(record) > most * share ? withoutLists(record) : record, place)
  }
  return {
    read: async (clientId, id) => (await look(clientId, id)).held,
    create: async (record) => void (await write(record, absent(record)).catch(unlessConflict)),
    begin: beginIn(records),
    complete: async ({ record, ...place }, result, at) => {
      const completed: JobRecord = { ...record, ...result, status: 'completed', completed_at: at.toISOString() }
      const end = { ...place, bytes: 0 }
      const bytes = bytesAsJson(completed)
      // Texts can have more faults, with longer paths, than one message takes.
      const whole = bytes > LONGEST_JOB ? withoutLists(completed) : completed
      const isLong = bytes > LONG || isLongerThanCounted(whole)
      const writing = isLong ? inTurn(() => writeLong(whole, end)) : write(whole, end)
      const written = writing.catch((error: unknown) => {
        if (!isFull(error)) throw error
        return write(withoutLists(completed), end)
      })
      return (await written.catch(unlessConflict)) !== undefined
    },
    endAttempt: async ({ record, ...place }, end) => {
      const { attempts } = record
      const change = end === 'given back' ? { attempts: attempts - 1 } : { last_failure: end.failure.slice(0, 500) }
      return (await write({ ...record, ...change }, place).catch(unlessConflict)) !== undefined
    },
  }
}

/** `revision`: of a record that cannot be read, which the job replaces. */
const absent = (record: JobRecord, revision = 0): HeldJob => ({
  ...{ record, key: jobKey(record.client_id, record.id), revision, bytes: SHORTEST_JOB },
})

/** A job, if there is one that can be read, and the revision of what stands at its key. */
interface Look {
  held?: HeldJob
  revision: number
}

function beginIn({ look, write }: ReturnType<typeof recordsIn>): Jobs['begin'] {
  const attempt = async (held: HeldJob): Promise<HeldJob | undefined> => {
    const { record } = held
    return record.status === 'completed' ? undefined : write({ ...record, attempts: record.attempts + 1 }, held)
  }
  return async (fresh, asNew = (record) => record) => {
    const found = await look(fresh.client_id, fresh.id)
    if (found.held) return attempt(found.held)
    return attempt(absent(asNew(fresh), found.revision)).catch(async (error: unknown) => {
      // A batch is queued before its job is stored, so the API may have stored the job since the read.
      const { held: stored } = await look(fresh.client_id, fresh.id)
      if (!isConflict(error) || stored?.record.attempts !== 0) throw error
      return attempt(stored)
    })
  }
}

function recordsIn(bucket: KV, tell: TellUnreadable) {
  const readAt = async (key: string): Promise<Look> => {
    const entry = await bucket.get(key)
    if (entry?.operation !== 'PUT') return { revision: entry?.revision ?? 0 }
    // Once: the library decodes the text at each use.
    const { value, revision } = entry
    if (value.length > LARGE) await nextTurn()
    const record = readAs(Buffer.from(value).toString(), JSON.parse, isJob)
    if (!record) tell({ key }, revision)
    return { revision, ...(record && { held: { record, key, revision, bytes: value.length } }) }
  }
  return {
    look: async (clientId: string, id: string): Promise<Look> => {
      // Before a key named its client, it was the id alone; such records end by age, at most a week after the upgrade.
      const named = await readAt(jobKey(clientId, id))
      // Nothing is further than a completed job, which can be long and is read most often.
      if (named.held?.record.status === 'completed') return named
      const { held: former } = await readAt(id)
      const held = named.held && former ? further(named.held, former) : (named.held ?? former)
      return { revision: named.revision, ...(held && { held }) }
    },
    write: async (record: JobRecord, { key, revision, bytes }: Omit<HeldJob, 'record'>): Promise<HeldJob> => {
      const put = async (text: Uint8Array) => ({
        ...{ record, key, bytes: text.length },
        revision: await bucket.put(key, text, { previousSeq: revision }),
      })
      const text = roomy(record, bytes)
      return put(text).catch((error: unknown) => {
        const shorter = roomy(record, bytes - SHORTER)
        if (!isFull(error) || shorter.length === text.length) throw error
        return put(shorter)
      })
    },
  }
}

function unlessConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error
}

/** Of a job that programs of two versions have stored during an upgrade, the record on which more was done. */
function further(named: HeldJob, former: HeldJob): HeldJob {
  const progress = ({ record }: HeldJob) => (record.status === 'completed' ? Infinity : record.attempts)
  return progress(former) > progress(named) ? former : named
}
