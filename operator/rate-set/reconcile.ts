import type { ApiProcess } from '../loaded.ts'
import type { StatusWriter } from '../write-status.ts'
import type { RatesLedger } from './ledger.ts'
import type { RateSetObject, RateSetStatus } from './object.ts'
import { rateSetStatus } from './status.ts'

export interface RateSetReconciler {
  object: (name: string) => RateSetObject | undefined
  ledger: RatesLedger
  processes: () => readonly ApiProcess[]
  statuses: StatusWriter<RateSetStatus>
  now: () => Date
}

/** Writes the status of one RateSet; what the last publication run did not judge yet is left to the next. */
export async function reconcileRateSet(reconciler: RateSetReconciler, name: string): Promise<void> {
  const { ledger, processes, statuses, now } = reconciler
  const object = reconciler.object(name)
  if (!object) return statuses.forget(name)
  const record = ledger.records.get(name)
  if (record?.uid !== object.metadata.uid || record.generation !== object.metadata.generation) return
  const previous = statuses.current(object)
  const seen = { ...(previous && { previous }), processes: processes(), now: now().toISOString(), name }
  await statuses.write(object, rateSetStatus(object, record, seen))
}
