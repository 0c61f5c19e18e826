import { defineConfig, mergeConfig } from 'vitest/config'
import { serverless } from './test/house/needs-server.ts'
import whole from './vitest.config.ts'

// What needs no server, with few draws of each property: `make test` draws more.
export default mergeConfig(
  { ...whole, test: { ...whole.test, include: [] } },
  defineConfig({
    test: {
      include: serverless(),
      env: { PROPERTY_RUNS: '2', TOLD_EDITS: '1', UNTOLD: '40', SECONDS: '4' },
      isolate: false,
    },
  }),
)
