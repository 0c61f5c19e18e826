import type { KV } from '@nats-io/kv'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import type { JobRecord, JobResult } from './job.ts'

export interface HeldJob {
  record: JobRecord
  /** Of the record in its bucket; a change is made only to the record that was read. */
  revision: number
}

/** The jobs, by their id. */
export interface Jobs {
  read(id: string): Promise<HeldJob | undefined>
  /** Keeps a new job; leaves one of this id that is there. */
  create(record: JobRecord): Promise<void>
  /** Counts one more attempt, making the job when it is not there; undefined when it is completed. */
  begin(fresh: JobRecord): Promise<HeldJob | undefined>
  /** Writes the result; false when the job has been changed since it was begun, by another attempt or its completion. */
  complete(begun: HeldJob, result: JobResult, at: Date): Promise<boolean>
  /** Notes why an attempt came to nothing, or takes it back as if it had not been; false when another has begun. */
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
  return {
    read,
    create: async (record) => {
      await write(record, 0).catch(unlessConflict)
    },
    begin: async (fresh) => {
      const found = await read(fresh.id)
      const { record, revision } = found ?? { record: fresh, revision: 0 }
      if (record.status === 'completed') return undefined
      return write({ ...record, attempts: record.attempts + 1 }, revision)
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
