import type { Mutant } from './list.ts'

const APPLY = 'operator/publish/apply.ts'
const PRUNE = 'operator/publish/prune.ts'
const DECIDE = 'operator/rate-set/decide.ts'
const PUBLISH_RATES = 'operator/rate-set/publish.ts'
const SOURCES = 'operator/publish/sources.ts'

/** Faults of what is published, and of the order in which it is written. */
export const PUBLISHING_MUTANTS: readonly Mutant[] = [
  {
    name: 'the index before its shards',
    seed: 1,
    file: APPLY,
    find: '  await putShards(cluster, index, [...shards, ...splitIndex(index).pages], gathered)\n',
    put: `  await overwrite(cluster, indexConfigMap(cluster.namespace, index), gathered.stored)
  await putShards(cluster, index, [...shards, ...splitIndex(index).pages], gathered)\n`,
  },
  {
    name: 'the history never written',
    seed: 733010,
    file: APPLY,
    find: '  await writeHistory(cluster, next, gathered)\n  const desired',
    put: '  const desired',
  },
  {
    name: 'stamps of each release on every shard',
    emphasis: 'hundreds of releases',
    seed: 1,
    file: APPLY,
    find: '  await writeHistory(cluster, next, gathered)\n  const desired = index',
    put: `  for (const { name, shard } of shards) {
    const key = 'rates.driveaway.dev/stamps'
    const stamps = JSON.parse(gathered.shards.get(name)?.metadata?.annotations?.[key] ?? '[]')
    const entry = (index as RatesIndex).sets?.find((set) => set.name === shard.of)
    stamps.push({ ...next.history.records.at(-1), entry })
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: cluster.namespace } }
    await cluster.kube.patchMetadata(reference, { annotations: { [key]: JSON.stringify(stamps) } }, { fieldManager: FIELD_MANAGER })
  }
  await writeHistory(cluster, next, gathered)
  const desired = index`,
  },
  {
    name: 'the index before its history',
    seed: 733004,
    file: APPLY,
    find: `  await writeHistory(cluster, next, gathered)
  const desired`,
    put: `  await overwrite(cluster, indexConfigMap(cluster.namespace, index), gathered.stored)
  return writeHistory(cluster, next, gathered)
  const desired`,
  },
  {
    name: 'index and history without a precondition',
    seed: 733003,
    file: 'operator/cluster/config-map.ts',
    find: '{ ...desired.metadata, ...version }',
    put: 'desired.metadata',
  },
  {
    name: 'a reused shard not claimed',
    seed: 733029,
    file: APPLY,
    find: 'return await claim(cluster, put, existing)',
    put: 'return { ...existing, metadata: { ...existing.metadata, labels: { [SEQUENCE_LABEL]: put.sequence } } }',
  },
  // That a claim has no precondition is no fault that shows: under one name there is only one content, a claim of any version
  // is in the way of whoever deletes the version seen before, and the label that it writes is of a publication of the last
  // minute, while only labels of a quarter of an hour ago are deleted.
  {
    name: 'shards deleted without preconditions',
    emphasis: 'contents that come back',
    seed: 733008,
    file: PRUNE,
    find: 'kube.delete(reference, { uid, resourceVersion },',
    put: 'kube.delete(reference, undefined,',
  },
  {
    name: 'shards deleted whatever publication they came with',
    emphasis: 'shards before their reason',
    seed: 733077,
    file: PRUNE,
    find: ' && sequenceOf(shard) < from)',
    put: ')',
  },
  {
    name: 'a sequence used twice',
    seed: 1,
    file: 'operator/publish/gather.ts',
    find: 'Math.max(version, lastSequence(index, history, read ? before(object, shards) : shards.values())) + 1',
    put: 'Math.max(version, lastSequence(index, history, read ? before(object, shards) : shards.values()))',
  },
  {
    name: 'sequences begun anew',
    seed: 733001,
    file: 'operator/publish/gather.ts',
    find: 'Math.max(version, lastSequence(',
    put: 'Math.max(0, lastSequence(',
  },
  {
    name: 'a lost index not rebuilt',
    seed: 1,
    file: 'operator/publish/gather.ts',
    find: 'read ?? (await lost(kind, shards, { history, remembered }))',
    put: 'read',
  },
  {
    name: 'a lost shard not put back',
    seed: 733022,
    file: 'operator/publish/desired.ts',
    find: 'return desired.shards.every(',
    put: 'return true || desired.shards.every(',
  },
  {
    name: 'last good contents forgotten',
    seed: 733003,
    file: 'operator/rate-set/last-good.ts',
    find: 'if (spec) specs.set(entry.name, spec)',
    put: 'if (spec) void spec',
  },
  {
    name: 'what cannot be read taken for gone',
    seed: 733003,
    file: 'operator/rate-set/last-good.ts',
    find: 'else lost.set(entry.name, entry)',
    put: 'else void entry',
    also: [{ file: PUBLISH_RATES, find: 'if (gone.length > 0) throw new WouldVanish(gone)', put: '' }],
  },
  {
    name: 'an index that drops a set written',
    emphasis: 'everything is lost',
    seed: 733002,
    file: PUBLISH_RATES,
    find: 'if (gone.length > 0) throw new WouldVanish(gone)',
    put: '',
  },
  {
    name: 'a view behind the server published from',
    seed: 733003,
    file: SOURCES,
    find: '  const isBehind = (than: Sources) =>',
    put: '  if (known) return true\n  const isBehind = (than: Sources) =>',
  },
  {
    name: 'a view behind the index published from',
    seed: 733031,
    file: SOURCES,
    find: 'if (isBehind(recorded)) return false',
    put: '',
  },
  {
    name: 'inputs of a late view not read again',
    seed: 733058,
    file: SOURCES,
    find: 'return !computed.gathered.isRebuilt && areAsStored(kube, computed)',
    put: 'return true',
  },
  {
    name: 'a check that throws ends the run',
    emphasis: 'sets that divide by zero',
    seed: 9,
    file: 'rates/checks/divisors-positive.ts',
    find: "return [{ check: 'divisors-positive', path, message: `${value} is not above zero on ${day}` }]",
    put: "throw new RangeError('division by zero')",
    also: [
      { file: 'rates/checks/contained.ts', find: 'return [crashed(check.name, error)]', put: 'throw error' },
      { file: 'operator/rate-set/checks.ts', find: 'return [crashed(check.name, error)]', put: 'throw error' },
      { file: DECIDE, find: "return [crashed('publication', error)]", put: 'throw error' },
    ],
  },
  {
    name: 'classes in classes followed without a bound',
    emphasis: 'sets that are hard to judge',
    seed: 1,
    file: 'rates/checks/expansions.ts',
    find: 'const MOST_OF_ONE = 2_000\nconst MOST_OF_ALL = 20_000',
    put: 'const MOST_OF_ONE = Infinity\nconst MOST_OF_ALL = Infinity',
  },
  {
    name: 'a search as long for each case as for a set',
    emphasis: 'sets that are hard to judge',
    seed: 1,
    file: 'rates/checks/cases-reached.ts',
    find: 'if (canHold({ all: [gate, own, ...before] }, budget)) return []',
    put: 'if (canHold({ all: [gate, own, ...before] }, { tests: MOST_TESTS })) return []',
  },
  {
    name: 'the newest format whatever readers read',
    emphasis: 'an upgrade',
    seed: 1,
    file: 'operator/api-processes/formats.ts',
    find: 'return commonFormat(readers) ?? present ?? FORMAT_VERSION',
    put: 'return FORMAT_VERSION',
  },
  {
    name: 'a shard of any format under one name',
    emphasis: 'an upgrade',
    seed: 1,
    file: 'rates/published/encode-rates.ts',
    find: 'const prefix = shard.formatVersion === 1 ? shard.kind : `${shard.kind}-v${shard.formatVersion}`',
    put: 'const prefix = shard.kind',
  },
  {
    name: 'Loaded of a held change',
    seed: 1,
    file: 'operator/rate-set/status.ts',
    find: "return entry.specDigest === digestOf(withoutPin(spec)) ? 'present' : 'earlier'",
    put: "return 'present'",
  },
  {
    name: 'Loaded of what was never published',
    seed: 733002,
    file: 'operator/rate-set/status.ts',
    find: "if (!entry) return 'none'",
    put: "if (!entry) return 'present'",
  },
  {
    name: 'withdrawal ignored',
    seed: 3,
    file: DECIDE,
    find: "if (withdrawn) return 'none'",
    put: '',
  },
  {
    name: 'a set at fault taken out',
    seed: 733113,
    file: DECIDE,
    find: "?.lastGood ? 'lastGood' : 'none'",
    put: "?.lastGood ? 'none' : 'none'",
  },
  {
    name: 'faults overlooked',
    seed: 3,
    file: DECIDE,
    find: 'if (passes(finding)) continue',
    put: 'if (passes(finding) || finding) continue',
  },
  {
    name: 'deletion taken for withdrawal',
    seed: 122,
    file: DECIDE,
    find: "return lastGood ? 'lastGood' : 'none'",
    put: "return 'none'",
  },
  {
    name: 'imports not pinned',
    seed: 620001,
    file: 'operator/rate-set/desired-index.ts',
    find: 'contents.importedSets(name, assignment)',
    put: '[]',
  },
  {
    name: 'an attestation of another digest believed',
    seed: 1,
    file: 'rates/published/attestation.ts',
    find: 'if (claims.digest !== content.digest)',
    put: 'if (false)',
  },
]
