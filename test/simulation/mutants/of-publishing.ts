import type { Mutant } from './list.ts'

const APPLY = 'operator/publish/apply.ts'
const PRUNE = 'operator/publish/prune.ts'
const DECIDE = 'operator/rate-set/decide.ts'

/** Faults of what is published, and of the order in which it is written. */
export const PUBLISHING_MUTANTS: readonly Mutant[] = [
  {
    name: 'the index before its shards',
    file: APPLY,
    find: '  await putShards(cluster, index, [...shards, ...splitIndex(index).pages], gathered)\n',
    put: `  await overwrite(cluster, indexConfigMap(cluster.namespace, index), gathered.stored)
  await putShards(cluster, index, [...shards, ...splitIndex(index).pages], gathered)\n`,
  },
  {
    name: 'the history never written',
    file: APPLY,
    find: '  await writeHistory(cluster, next, gathered)\n  await overwrite',
    put: '  await overwrite',
  },
  {
    name: 'index and history without a precondition',
    file: APPLY,
    find: '{ ...wanted.metadata, ...version }',
    put: 'wanted.metadata',
  },
  {
    name: 'a reused shard not claimed',
    file: APPLY,
    find: 'return await claim(cluster, put, existing)',
    put: 'return { ...existing, metadata: { ...existing.metadata, labels: { [SEQUENCE_LABEL]: put.sequence } } }',
  },
  {
    name: 'shards deleted without preconditions',
    file: PRUNE,
    find: 'kube.delete(reference, { uid, resourceVersion })',
    put: 'kube.delete(reference)',
  },
  {
    name: 'shards deleted whatever publication they came with',
    file: PRUNE,
    find: ' && sequenceOf(shard) < from)',
    put: ')',
  },
  {
    name: 'a sequence used twice',
    file: 'operator/publish/gather.ts',
    find: 'Math.max(version, lastSequence(index, history, read ? [] : shards.values())) + 1',
    put: 'Math.max(version, lastSequence(index, history, read ? [] : shards.values()))',
  },
  {
    name: 'sequences begun anew',
    file: 'operator/publish/gather.ts',
    find: 'Math.max(version, lastSequence(',
    put: 'Math.max(0, lastSequence(',
  },
  {
    name: 'a lost index not rebuilt',
    file: 'operator/publish/gather.ts',
    find: 'read ?? lost(kind, shards, { history, remembered })',
    put: 'read',
  },
  {
    name: 'a lost shard not put back',
    file: 'operator/publish/desired.ts',
    find: 'return wanted.shards.every(',
    put: 'return true || wanted.shards.every(',
  },
  {
    name: 'last good contents forgotten',
    file: 'operator/rate-set/last-good.ts',
    find: 'if (spec) specs.set(entry.name, spec)',
    put: 'if (spec) void spec',
  },
  {
    name: 'withdrawal ignored',
    file: DECIDE,
    find: "if (withdrawn) return 'none'",
    put: '',
  },
  {
    name: 'a set at fault taken out',
    file: DECIDE,
    find: "?.lastGood ? 'lastGood' : 'none'",
    put: "?.lastGood ? 'none' : 'none'",
  },
  {
    name: 'faults overlooked',
    file: DECIDE,
    find: 'if (faults.length === 0) continue',
    put: 'if (faults.length >= 0) continue',
  },
  {
    name: 'deletion taken for withdrawal',
    file: DECIDE,
    find: "return lastGood ? 'lastGood' : 'none'",
    put: "return 'none'",
  },
  {
    name: 'imports not pinned',
    file: 'operator/rate-set/wanted.ts',
    find: 'contents.importedSets(name, assignment)',
    put: '[]',
  },
  {
    name: 'an attestation of another digest believed',
    file: 'rates/published/attestation.ts',
    find: 'if (claims.digest !== wanted.digest)',
    put: 'if (false)',
  },
]
