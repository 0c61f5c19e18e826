/**
 * Each run draws anew and prints its seed; PROPERTY_SEED draws the same again, PROPERTY_RUNS draws more. A property of
 * one set stops after a second, so that all of them stay within half a minute on a slow machine.
 */
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200)

console.log(`PROPERTY_SEED=${seed}`)

const bounded =
  process.env.PROPERTY_RUNS === undefined ? { interruptAfterTimeLimit: 1_000, markInterruptAsFailure: false } : {}

export const parameters = { seed, numRuns, ...bounded }
