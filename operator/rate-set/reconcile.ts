import type { Outcome } from '#runtime/kube/queue.ts'
import type { Attester, Word } from '../attestation/attest.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import type { StatusWriter } from '../status/write-status.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import type { RatesLedger } from './ledger.ts'
import type { RateSetObject, RateSetStatus } from './object.ts'
import { rateSetStatus } from './status.ts'

export interface RateSetReconciler {
  object: (name: string) => RateSetObject | undefined
  ledger: RatesLedger
  processes: () => readonly ApiProcess[]
  statuses: StatusWriter<RateSetStatus>
  /** Where what has soaked is attested. */
  attester?: Attester
  now: () => Date
}

/** Writes the status of one RateSet; what the last publication run did not judge yet is left to the next. */
export async function reconcileRateSet(reconciler: RateSetReconciler, name: string): Promise<Outcome> {
  const { ledger, processes, statuses, now } = reconciler
  const object = reconciler.object(name)
  if (!object) return statuses.forget(name)
  const record = ledger.records.get(name)
  if (record?.uid !== object.metadata.uid || record.generation !== object.metadata.generation) return
  const previous = statuses.current(object)
  const seen = { ...(previous && { previous }), processes: processes(), now: now().toISOString(), name }
  const status = rateSetStatus(object, record, seen)
  const { attestation, after } = await wordOn(reconciler, status, { previous, entry: record.entry })
  await statuses.write(object, { ...status, ...(attestation !== undefined && { attestation }) })
  return after === undefined ? undefined : { after }
}

interface Attestable {
  previous: RateSetStatus | undefined
  entry: RateSetEntry | undefined
}

async function wordOn(
  { attester }: RateSetReconciler,
  { conditions, servedSince }: RateSetStatus,
  { previous, entry }: Attestable,
): Promise<Word> {
  if (!attester || !entry) return {}
  const isTrue = (type: string) => conditions.some((each) => each.type === type && each.status === 'True')
  const attestation = previous?.digest === entry.digest ? previous.attestation : undefined
  const { pricingCode, financialYear, digest } = entry
  return attester.attest({
    ...{ pricingCode, financialYear, digest, isInForce: isTrue('Ready') && isTrue('Loaded') },
    ...(servedSince !== undefined && { servedSince }),
    ...(attestation !== undefined && { attestation }),
  })
}
