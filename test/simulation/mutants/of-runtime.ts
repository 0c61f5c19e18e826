import type { Mutant } from './list.ts'

const LATEST = 'api/load/latest.ts'
const WATCH = 'runtime/kube/watch-loop.ts'
const QUEUE = 'runtime/kube/queue.ts'

/** Faults of what every program stands on: watches, queue, election, loading. */
export const RUNTIME_MUTANTS: readonly Mutant[] = [
  {
    name: 'a relist that overlooks deletions',
    seed: 733009,
    file: 'runtime/kube/watch-cache.ts',
    find: '.filter((object) => !listed.has(keyOf(object)))',
    put: '.filter(() => false)',
  },
  {
    name: 'a version too old gone on from',
    seed: 733001,
    file: WATCH,
    find: 'if (isGone(error)) this.#isExpired = true',
    put: '',
  },
  {
    name: 'a silent watch trusted',
    seed: 4,
    file: WATCH,
    find: 'const stopProbing = this.#probeSilence()',
    put: 'const stopProbing = () => undefined',
  },
  {
    name: 'a watch that breaks off not taken up again',
    seed: 620001,
    file: WATCH,
    find: 'await this.#clock.sleep(waitMs, this.#signal())',
    put: 'await new Promise(() => undefined)',
  },
  {
    name: 'a key added while it runs forgotten',
    seed: 733014,
    file: QUEUE,
    find: 'if (this.#again.delete(key)) this.#enqueue(key, isFirst === true)',
    put: 'this.#again.delete(key)',
  },
  {
    name: 'a failure not tried again',
    seed: 733008,
    file: QUEUE,
    find: '    this.addAfter(key, waitMs)\n',
    put: '',
  },
  {
    name: 'a lease taken from who holds it',
    seed: 3,
    file: 'runtime/kube/lease-record.ts',
    find: 'now >= changedAt + seconds * 1000',
    put: 'true',
  },
  {
    name: 'a lease written over any version',
    emphasis: 'a free lease',
    seed: 733001,
    file: 'runtime/kube/leader-election.ts',
    find: 'metadata: { ...lease?.metadata, name, namespace }',
    put: 'metadata: { name, namespace }',
  },
  {
    name: 'a failed load not tried again',
    seed: 733088,
    file: LATEST,
    find: 'if (this.#failures === 0) return new Promise',
    put: 'return new Promise',
  },
  {
    name: 'an import of another digest loaded',
    emphasis: 'an index put together by hand',
    seed: 1,
    file: 'rates/published/decode.ts',
    find: 'if (byName.get(name)?.digest !== digest)',
    put: 'if (false)',
  },
  {
    name: 'Loaded taken back after a missed answer',
    seed: 733004,
    file: 'operator/status/loaded-condition.ts',
    find: "if (before?.status === 'True') return { ...named, ...pick(before) }",
    put: '',
    also: [
      { file: 'operator/api-processes/poller.ts', find: 'const BEHIND_AFTER = 3', put: 'const BEHIND_AFTER = 1' },
      {
        file: 'operator/loop/due-statuses.ts',
        find: "return loaded === undefined || loaded.reason === 'Loading' || loaded.status === 'Unknown'",
        put: 'return true',
      },
    ],
  },
  {
    name: 'statuses and publications in one queue',
    emphasis: 'suspensions on a calm day',
    seed: 733004,
    file: 'operator/loop/term.ts',
    find: "const statuses = createQueue({ ...timing, name: 'statuses', concurrency, run: (key) => reconcile(work, key) })",
    put: `const statuses = createQueue({
    ...{ ...timing, name: 'statuses', concurrency: 1 },
    run: (key) => (key.startsWith('publish/') ? publishOnce(key) : reconcile(work, key)),
  })`,
    also: [
      {
        file: 'operator/loop/term.ts',
        find: "const publications = createQueue({ ...timing, name: 'publications', concurrency: 2, run: publishOnce })",
        put: 'const publications = statuses',
      },
      {
        file: 'operator/loop/route.ts',
        find: 'publications.add(PUBLISH_CLIENTS, { first: true })',
        put: 'publications.add(PUBLISH_CLIENTS)',
      },
    ],
  },
]
