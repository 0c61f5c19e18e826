import type { Requeue } from '#runtime/kube/queue.ts'
import type { ApiProcess } from '../api-processes/poller.ts'
import { isTooEarly, LOADING_MS } from '../status/loaded-condition.ts'
import { isUnpublished } from '../status/unpublished.ts'
import type { StatusWriter } from '../status/write-status.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import type { RatesLedger } from './ledger.ts'
import type { RateSetObject, RateSetStatus } from './object.ts'
import type { AttestationFound, Attester } from './promotion.ts'
import { rateSetStatus, unpublishedRateSetStatus } from './status.ts'

export interface RateSetReconciler {
  object: (name: string) => RateSetObject | undefined
  ledger: RatesLedger
  /** The API processes that ran when the rates were last published. */
  processes: () => readonly ApiProcess[]
  statuses: StatusWriter<RateSetStatus>
  /** Present when this environment attests contents that have soaked. */
  attester?: Attester
  now: () => Date
}

/** Writes the status of one RateSet. An object that the last publication run has not judged is left to the next run. */
export async function reconcileRateSet(reconciler: RateSetReconciler, name: string): Promise<Requeue> {
  const { ledger, processes, statuses, now } = reconciler
  const object = reconciler.object(name)
  if (!object) return statuses.forget(name)
  const record = ledger.records.get(name)
  const previous = statuses.current(object)
  if (record?.uid !== object.metadata.uid || record.generation !== object.metadata.generation)
    return tellUnpublished(reconciler, object, previous)
  const pricing = processes().filter(({ servesRates }) => servesRates)
  const surroundings = { processes: pricing, records: ledger.records, now: now().toISOString() }
  const circumstances = { ...surroundings, ...(previous && { previous }) }
  const status = rateSetStatus(object, record, circumstances)
  if (isTooEarly(status.conditions, pricing)) return { after: LOADING_MS }
  const { attestation, after } = await attestationOf(reconciler, status, { name, previous, entry: record.entry })
  await statuses.write(object, { ...status, ...(attestation !== undefined && { attestation }) })
  return after === undefined ? undefined : { after }
}

/** While publications fail, the status of a waiting object says so; otherwise the next run judges the object. */
async function tellUnpublished(
  { ledger, statuses, now }: RateSetReconciler,
  object: RateSetObject,
  previous: RateSetStatus | undefined,
): Promise<void> {
  const withStatus = { ...object, ...(previous && { status: previous }) }
  if (!ledger.failing || !isUnpublished(withStatus, ledger.records.get(object.metadata.name))) return
  await statuses.write(object, unpublishedRateSetStatus(object, ledger.failing, { previous, now: now().toISOString() }))
}

/** While a set soaks, an API process that goes away is noticed within this time. */
const SERVED_AGAIN_MS = 10_000

interface Attestable {
  name: string
  previous: RateSetStatus | undefined
  entry: RateSetEntry | undefined
}

async function attestationOf(
  { attester, processes }: RateSetReconciler,
  { conditions, servedSince }: RateSetStatus,
  { name, previous, entry }: Attestable,
): Promise<AttestationFound> {
  if (!attester || !entry) return {}
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const attestation = previous?.digest === entry.digest ? previous.attestation : undefined
  const { pricingCode, financialYear, digest } = entry
  // `Loaded` means that every process loaded the content once; an attestation requires that every process serves it
  // now.
  const isServed = processes().every(({ servesRates, loaded }) => !servesRates || loaded?.sets[name] === digest)
  const found = await attester.attest({
    pricingCode,
    financialYear,
    digest,
    isInForce: isReady && servedSince !== undefined && isServed,
    ...(servedSince !== undefined && { servedSince }),
    ...(attestation !== undefined && { attestation }),
  })
  return isServed || found.attestation !== undefined ? found : { ...found, after: SERVED_AGAIN_MS }
}
