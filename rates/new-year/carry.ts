import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { checkCases, type QuoteCase } from '../files/cases.ts'
import { compileRateSets } from '../files/compile.ts'
import { parse, type RateSetFile } from '../files/rate-set-file.ts'
import { runCase } from '../proof/run-case.ts'
import { runExampleOf } from '../proof/run-examples.ts'
import { moveGiven, WAYS, type Way } from './move-request.ts'
import { moveCase, nextCasesText } from './next-cases.ts'
import { nextSetText } from './next-set.ts'
import { isIn, type YearMove } from './years.ts'

/**
 * The moved content, and the names of the examples or cases that were left out because they do not hold a year later.
 */
export interface Carried {
  text: string
  moved: number
  leftOut: string[]
}

/** A carried-over set, and the snapshot of the next year with which its cases are run. */
export interface CarriedSet extends Carried {
  spec: RateSetSpec
  snapshot: Snapshot
}

/**
 * Carries a rate set over to the next year. An example stays when the carried figures still give its expected result;
 * an example about a figure that ended during the year is left out.
 */
export function carrySet(text: string, move: YearMove, imports: readonly RateSetFile[]): CarriedSet {
  const unproved = nextSetText(text, move, () => WAYS[0])
  const first = parse(unproved, 'next')
  const snapshot = compileRateSets([first, ...imports])
  const spec = first.spec as RateSetSpec
  const { examples = [] } = parse(text, 'last').spec as RateSetSpec
  const ways = examples.map((example) =>
    WAYS.find((way) => {
      const moved = { ...example, given: moveGiven(example.given, way, move) }
      return holds(() => runExampleOf(moved, spec, snapshot))
    }),
  )
  const leftOut = examples.filter((_, position) => ways[position] === undefined).map(({ name }) => name)
  const carried = nextSetText(text, move, (position) => ways[position])
  return { text: carried, moved: examples.length - leftOut.length, leftOut, spec, snapshot }
}

/** Carries over the cases of a file that have a day of the year; undefined when none has. */
export function carryCases(text: string, move: YearMove, { snapshot }: CarriedSet): Carried | undefined {
  const { cases } = checkCases(text, 'cases')
  const found = [...cases.entries()].filter(([, { request }]) => isIn(move.from, request.date))
  const moved = new Map<number, QuoteCase>()
  const leftOut: string[] = []
  for (const [position, one] of found) {
    const way = WAYS.find((each: Way) => holds(() => runCase(moveCase(one, each, move), snapshot)))
    if (way === undefined) leftOut.push(one.name)
    else moved.set(position, moveCase(one, way, move))
  }
  if (found.length === 0) return undefined
  return { text: moved.size === 0 ? '' : nextCasesText(text, moved, move), moved: moved.size, leftOut }
}

/** Whether a run finds no difference; an example that cannot be priced does not hold either. */
function holds(differences: () => unknown[]): boolean {
  try {
    return differences().length === 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
