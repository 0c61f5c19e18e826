import type { V1ConfigMap } from '@kubernetes/client-node'
import { ATTESTATION_ANNOTATION } from '#rates/published/attestation.ts'
import { parseRatesIndex } from '#rates/published/decode.ts'
import { RATES_INDEX, type RatesIndex } from '#rates/published/format.ts'
import type { Gate } from '../attestation/gate.ts'
import type { Wanted } from '../publish/desired.ts'
import { gather, shardTexts, type Cluster, type Gathered, type IndexKind } from '../publish/gather.ts'
import { publishIndex } from '../publish/publish-index.ts'
import { rebuildRatesIndex } from '../publish/rebuild.ts'
import { decide, type Asked, type Decision } from './decide.ts'
import type { Contents, Evaluate } from './assignment.ts'
import { lastGood, type KnownSpecs } from './last-good.ts'
import type { RatesLedger } from './ledger.ts'
import type { RateSetObject } from './object.ts'
import { wantedRates } from './wanted.ts'

export const ratesIndex: IndexKind<RatesIndex> = {
  name: RATES_INDEX,
  parse: parseRatesIndex,
  rebuild: rebuildRatesIndex,
}

export interface RatesPublisher {
  cluster: Cluster
  /** All RateSets as last seen. */
  objects: () => Iterable<RateSetObject>
  /** All shard ConfigMaps as last seen. */
  shards: () => Iterable<V1ConfigMap>
  evaluate: (contents: Contents) => Evaluate
  /** Where only what was attested is published. */
  gate?: Gate
  known: KnownSpecs
  ledger: RatesLedger
  now: () => Date
}

/** Brings the rates index to what the objects and the last good contents ask for; says whether a release was made. */
export async function publishRates(publisher: RatesPublisher): Promise<{ isNew: boolean; index: RatesIndex }> {
  const { cluster, ledger, now } = publisher
  const objects = [...publisher.objects()]
  const gathered = await gather(cluster, ratesIndex, publisher.shards())
  const gate = await publisher.gate?.open(cluster, gathered.index)
  const evaluate = gate?.guard(publisher.evaluate) ?? publisher.evaluate
  const decision = await decide(asked(objects, gathered, publisher.known), evaluate)
  const wanted = wantedRates(decision, gathered.nextSequence)
  const published = await publishIndex({
    ...{ cluster, wanted, gathered, now: now() },
    ...(gate && { beforeWrites: () => gate.remember(wanted.index.sets) }),
  })
  const { isNew, index } = published
  record(ledger, objects, decision, { wanted, index })
  await published.prune()
  return { isNew, index }
}

function asked(objects: readonly RateSetObject[], gathered: Gathered<RatesIndex>, known: KnownSpecs): Asked[] {
  const good = lastGood(gathered.index, shardTexts(gathered.shards), known)
  const byName = new Map(objects.map((object) => [object.metadata.name, object]))
  return [...new Set([...byName.keys(), ...good.keys()])].map((name) => {
    const { spec, metadata } = byName.get(name) ?? {}
    const attestation = metadata?.annotations?.[ATTESTATION_ANNOTATION]
    const published = good.get(name)
    const withdrawn = spec?.withdrawn === true
    const contents = { ...(spec && { spec }), ...(published && { lastGood: published }) }
    return { name, withdrawn, ...contents, ...(attestation && { attestation }) }
  })
}

function record(
  ledger: RatesLedger,
  objects: readonly RateSetObject[],
  { verdicts }: Decision,
  { index, wanted }: { index: RatesIndex; wanted: Wanted<RatesIndex> },
): void {
  const entries = new Map(wanted.index.sets.map((entry) => [entry.name, entry]))
  ledger.records = new Map(
    objects.flatMap(({ metadata: { name, uid, generation } }) => {
      const verdict = verdicts.get(name)
      const entry = entries.get(name)
      if (!verdict) return []
      const { faults } = verdict
      return [[name, { uid, generation, verdict, faults, release: index.release, ...(entry && { entry }) }]]
    }),
  )
  ledger.published = index.sets
  ledger.release = index.release
  ledger.sequence = index.sequence
}
