import { PricingFault, type QuoteLine } from './answer.ts'
import { compare, parseExact } from './exact.ts'
import { dayOf, isoOf, yearBounds } from './dates.ts'
import { requestOf } from './given.ts'
import type { Example, Given, RateSetSpec } from './grammar/rate-set.ts'
import { stateOf } from './inputs.ts'
import { onRoadLine } from './lines.ts'
import { priceLines } from './price.ts'
import type { Program } from './program.ts'
import type { Snapshot } from './snapshot.ts'

/** What a worked example gave: by component, dollars, `none` or `unpriced`. */
export interface ExampleResult {
  passed: boolean
  expected: Record<string, string>
  got: Record<string, string>
  /** Empty when it passed. */
  message: string
}

/** Prices one worked example with the set of `spec` in `snapshot`; also for sets that are not quotable. */
export function runExample(example: Example, spec: RateSetSpec, snapshot: Snapshot): ExampleResult {
  const expected = { ...example.expect }
  const program = programOf(spec, snapshot)
  if (!program) return failed(expected, `${spec.pricingCode} ${spec.financialYear} is not in the snapshot`)
  try {
    return judge(expected, resultsOf(example.given, Object.keys(expected), spec, program))
  } catch (error) {
    if (error instanceof PricingFault) return failed(expected, `${error.code}: ${error.message}`)
    throw error
  }
}

function failed(expected: Record<string, string>, message: string): ExampleResult {
  return { passed: false, expected, got: {}, message }
}

function judge(expected: Record<string, string>, got: Record<string, string>): ExampleResult {
  const wrong = Object.entries(expected).filter(([component, text]) => !agrees(text, got[component] ?? 'none'))
  const message = wrong.map(([component, text]) => `${component} is ${got[component]}, expected ${text}`).join('; ')
  return { passed: wrong.length === 0, expected, got, message }
}

/** The lines of a worked example, each explained; throws PricingFault where it cannot be priced. */
export function explainExample(example: Example, spec: RateSetSpec, snapshot: Snapshot): QuoteLine[] {
  const program = programOf(spec, snapshot)
  if (!program) return []
  return linesOf(example.given, spec, program, true).lines.flatMap((line) => (line ? [onRoadLine(line)] : []))
}

const programOf = ({ pricingCode, financialYear }: RateSetSpec, snapshot: Snapshot): Program | undefined =>
  Object.values(snapshot.programs).find(
    (each) => each.pricingCode === pricingCode && each.financialYear === financialYear,
  )

const isWord = (text: string) => text === 'none' || text === 'unpriced' || text === 'unknown component'

function agrees(expected: string, got: string): boolean {
  if (isWord(expected) || isWord(got)) return expected === got
  return compare(parseExact(expected), parseExact(got)) === 0
}

const dollarsOf = (cents: number) => (cents / 100).toFixed(2)

function resultsOf(given: Given, components: string[], spec: RateSetSpec, program: Program): Record<string, string> {
  const { state, lines } = linesOf(given, spec, program, false)
  const written = components.map((name) => {
    const slot = program.order.find((component) => component.name === name)?.slot
    if (slot === undefined) return [name, 'unknown component'] as const
    const line = lines[slot]
    if (line) return [name, dollarsOf(line.cents)] as const
    return [name, state.unpriced[slot] === undefined ? 'none' : 'unpriced'] as const
  })
  return Object.fromEntries(written)
}

function linesOf(given: Given, spec: RateSetSpec, program: Program, explain: boolean) {
  const date = given.date ?? isoOf(yearBounds(spec.financialYear).start)
  const concession = given.concession === undefined ? null : program.concessions.get(given.concession)
  if (concession === undefined) {
    throw new PricingFault('INVALID_CONCESSION', '/customer/concession/type', `${given.concession} is not a concession`)
  }
  const registrationType = given.registrationType ?? 'new'
  const terms = spec.offers?.terms ?? []
  const termMonths = given.termMonths ?? (terms.includes(12) ? 12 : (terms[0] ?? 12))
  const condition = given.condition ?? (registrationType === 'transfer' ? 'used' : 'new')
  const state = stateOf(
    { ...requestOf(given, spec.pricingCode, date), options: { explain } },
    { day: dayOf(date), termMonths, registrationType, condition, concession },
    program,
  )
  return { state, lines: priceLines(program, state) }
}
