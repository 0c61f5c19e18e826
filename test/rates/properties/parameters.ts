/**
 * Each run draws anew and prints its seed where it fails; PROPERTY_SEED draws as before. A property stops after some
 * seconds, so that all of a file's stay within half a minute on a slow machine.
 */
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31)

console.log(`PROPERTY_SEED=${seed}`)

export const parameters = { seed, numRuns: 600, interruptAfterTimeLimit: 3_000, markInterruptAsFailure: false }
