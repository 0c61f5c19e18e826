import { hash } from 'node:crypto'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { serverless } from './test/house/needs-server.ts'

const orderSeed = process.env['ORDER_SEED']

/** Files of more than a minute; one of them that starts last would run alone while the other workers have nothing to do. */
const LONG_FILES = [
  'test/operator/crash.test.ts',
  'test/docs/gitops.test.ts',
  'test/stack/outage.test.ts',
  'test/docs/promotion-demo.test.ts',
  'test/operator/notices/tell-release.test.ts',
  'test/operator/restored-server.test.ts',
  'test/docs/readme.test.ts',
  'test/inventory/faults.test.ts',
  'test/inventory/replicas.test.ts',
  'test/docs/new-year.test.ts',
  'test/explorer/explorer.test.ts',
  'test/explorer/screenshots.test.ts',
  'test/tools/release.test.ts',
  'test/rates/diff/told-everywhere.test.ts',
  'test/rates/diff/every-field.test.ts',
  'test/rates/properties/target.test.ts',
]

const SERVERLESS = serverless()

/**
 * The long files in a random order, then all others in a random order; after them, in the same way, those that share a
 * process, which goes on only where one of them follows. The same seed gives the same order.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    const rank = ({ moduleId }: TestSpecification) => {
      const name = relative(root, moduleId)
      const place = [SERVERLESS.includes(name), !LONG_FILES.includes(name)].map(Number).join('')
      return `${place} ${hash('sha256', `${sequence.seed} ${name}`)}`
    }
    return files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}

export default defineConfig({
  test: {
    projects: [
      // What needs no server shares a process with the files before it: to load the programs anew took half of its time.
      { extends: true, test: { name: 'serverless', include: SERVERLESS, isolate: false } },
      // A cluster with nodes is for `make e2e`.
      {
        extends: true,
        test: { name: 'servers', include: ['test/**/*.test.ts'], exclude: ['test/e2e/**', ...SERVERLESS] },
      },
    ],
    // The tests start real servers, which takes long on a slow machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // One second, the default, is over before a busy machine has drawn a page.
    expect: { poll: { timeout: 10_000 } },
    // A worker waits for its servers half of the time, so three workers keep two cores busy.
    maxWorkers: 3,
    // No test depends on another one: each run has a random order, from a seed that the run prints first, or from
    // ORDER_SEED.
    sequence: {
      shuffle: { files: true, tests: true },
      sequencer: LongFilesFirst,
      ...(orderSeed && { seed: Number(orderSeed) }),
    },
  },
})
