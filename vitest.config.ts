import { defineConfig } from 'vitest/config'

const orderSeed = process.env['ORDER_SEED']

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need a cluster with nodes: `make e2e`.
    exclude: ['test/e2e/**'],
    // Real servers start in these tests: room for a slow machine, and no more workers than cores.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // No test needs that another has run: their order is a new one each time, of a seed that the run prints first, or that
    // of ORDER_SEED.
    sequence: { shuffle: { files: true, tests: true }, ...(orderSeed && { seed: Number(orderSeed) }) },
  },
})
