/**
 * Each run draws anew and prints its seed; PROPERTY_SEED draws the same again, PROPERTY_RUNS draws more. A property of
 * one set stops after a third of a second, so that those of all sets together stay near twenty.
 */
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.PROPERTY_RUNS ?? 200)

console.log(`PROPERTY_SEED=${seed}`)

const bounded =
  process.env.PROPERTY_RUNS === undefined ? { interruptAfterTimeLimit: 333, markInterruptAsFailure: false } : {}

export const parameters = { seed, numRuns, ...bounded }

/** The same with another time, in milliseconds. */
export const stoppingAfter = (ms: number) =>
  'interruptAfterTimeLimit' in parameters ? { ...parameters, interruptAfterTimeLimit: ms } : parameters
