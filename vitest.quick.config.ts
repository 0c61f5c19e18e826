import { defineConfig, mergeConfig } from 'vitest/config'
import { serverless } from './test/house/needs-server.ts'
import whole from './vitest.config.ts'

/** They take seconds each for one statement: two linters over both documents, and every vehicle of the portfolio. */
const SLOW = ['test/api/contract/linted.test.ts', 'test/rates/diff/prices.test.ts']

// What needs no server, in under a minute: few draws of each property, over some of the rate sets; `make test` takes all.
export default mergeConfig(
  { ...whole, test: { ...whole.test, projects: undefined } },
  defineConfig({
    test: {
      include: serverless().filter((file) => !SLOW.includes(file)),
      env: { PROPERTY_RUNS: '2', SETS_DRAWN: '8', TOLD_EDITS: '1', SECONDS: '1' },
      isolate: false,
    },
  }),
)
