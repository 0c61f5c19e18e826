import type { KV } from '@nats-io/kv'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import type { JobRecord, JobResult } from './job.ts'

export interface HeldJob {
  record: JobRecord
  /** Revision of the record in its bucket; a change applies only to the revision that was read. */
  revision: number
}

/** The jobs, by their id. */
export interface Jobs {
  read(id: string): Promise<HeldJob | undefined>
  /** Stores a new job; an existing job of this id stays. */
  create(record: JobRecord): Promise<void>
  /** Counts another attempt, and creates the job when it does not exist; undefined when the job is completed. */
  begin(fresh: JobRecord): Promise<HeldJob | undefined>
  /** Writes the result; false when another attempt or the completion has changed the job since it was begun. */
  complete(begun: HeldJob, result: JobResult, at: Date): Promise<boolean>
  /** Records why an attempt failed, or takes the attempt back; false when another attempt has begun. */
  endAttempt(begun: HeldJob, end: { failure: string } | 'given back'): Promise<boolean>
}

export function jobsIn(bucket: KV): Jobs {
  const read = async (id: string): Promise<HeldJob | undefined> => {
    const entry = await bucket.get(id)
    return entry?.operation === 'PUT' ? { record: entry.json<JobRecord>(), revision: entry.revision } : undefined
  }
  const write = async (record: JobRecord, revision: number): Promise<HeldJob> => ({
    record,
    revision: await bucket.put(record.id, JSON.stringify(record), { previousSeq: revision }),
  })
  const attempt = async ({ record, revision }: HeldJob): Promise<HeldJob | undefined> =>
    record.status === 'completed' ? undefined : write({ ...record, attempts: record.attempts + 1 }, revision)
  return {
    read,
    create: async (record) => void (await write(record, 0).catch(unlessConflict)),
    begin: async (fresh) => {
      const found = await read(fresh.id)
      if (found) return attempt(found)
      return attempt({ record: fresh, revision: 0 }).catch(async (error: unknown) => {
        // A batch is queued before its job is stored, so the API may have stored the job since the read.
        const stored = await read(fresh.id)
        if (!isConflict(error) || stored?.record.attempts !== 0) throw error
        return attempt(stored)
      })
    },
    complete: async ({ record, revision }, result, at) => {
      const completed: JobRecord = { ...record, ...result, status: 'completed', completed_at: at.toISOString() }
      return (await write(completed, revision).catch(unlessConflict)) !== undefined
    },
    endAttempt: async ({ record, revision }, end) => {
      const { attempts } = record
      const change = end === 'given back' ? { attempts: attempts - 1 } : { last_failure: end.failure.slice(0, 500) }
      return (await write({ ...record, ...change }, revision).catch(unlessConflict)) !== undefined
    },
  }
}

function unlessConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error
}
