import { solveTarget } from '#rates/engine/target/target.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { measured, victorian } from './requests.ts'
import { timeInTurns } from './rounds.ts'

const FILES = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml']
const TARGET_US = 500

/**
 * Requests and the drive-away price that each should reach, in cents: below all thresholds, between them, and to the
 * cent.
 */
const SOLVED = [
  { what: 'an SUV, to the dollar', request: measured, target: { driveAway: 6_000_000 } },
  { what: 'an SUV above the luxury car tax threshold', request: measured, target: { driveAway: 12_000_000 } },
  { what: 'an electric SUV, to the cent', request: electric(), target: { driveAway: 15_123_457, increment: 1 } },
]

function electric() {
  return victorian(95_000, { fuelType: 'BEV', co2GPerKm: 0, fuelConsumptionLPer100km: 0 })
}

/** Finds the price that leads to a wanted drive-away price. */
export async function targetSolve(): Promise<Section> {
  const snapshot = compileRateSets(readRateSets(FILES))
  const contenders = SOLVED.map(({ what, request, target }) => {
    const { iterations } = solveTarget(request, target, snapshot).solution
    return { name: `${what}, ${iterations} evaluations`, run: () => solveTarget(request, target, snapshot) }
  })
  const times = await timeInTurns(contenders)
  const how = 'Victoria, the whole answer with its quote, in process.'
  return { title: 'A target drive-away', how, figures: [...times].map(figureOf) }
}

function figureOf([what, us]: [string, number]): Figure {
  return {
    what,
    measured: `${us.toFixed(0)} µs`,
    ratio: ratioOf(us, TARGET_US),
    comparedWith: `${TARGET_US / 1000} ms`,
    target: `at most 1 (${TARGET_US / 1000} ms)`,
    met: us < TARGET_US,
  }
}
