import { PricingFault, type QuoteLine } from '../engine/answer.ts'
import { dayOf, yearDates } from '../engine/dates.ts'
import { conditionOf, registrationTypeOf, termMonthsOf } from '../engine/request.ts'
import { compare, parseExact } from '../engine/exact.ts'
import type { Example, Given, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { stateOf, type QuoteDefaults } from '../engine/quote/inputs.ts'
import { onRoadLine, requestLines } from '../engine/quote/lines.ts'
import { priceLines } from '../engine/price/price.ts'
import type { Program } from '../engine/compile/program.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { componentOf, figureIn } from './figure.ts'
import { requestOf } from './example-request.ts'

/** The result of a worked example: dollars, `none` or `unpriced`, by component or by `gst:` and a component. */
export interface ExampleResult {
  passed: boolean
  expected: Record<string, string>
  got: Record<string, string>
  /** The unmet expectations; empty when the example passed or could not be priced. */
  wrong: readonly string[]
  /** What failed; empty when the example passed. */
  message: string
}

/** Prices one worked example with the set of `spec` in `snapshot`; also works for sets that cannot be quoted. */
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
  return { passed: false, expected, got: {}, wrong: [], message }
}

function judge(expected: Record<string, string>, got: Record<string, string>): ExampleResult {
  const wrong = Object.entries(expected).filter(([key, text]) => !agrees(text, got[key] ?? 'none'))
  const message = wrong.map(([key, text]) => `${key} is ${got[key]}, expected ${text}`).join('; ')
  return { passed: wrong.length === 0, expected, got, wrong: wrong.map(([key]) => key), message }
}

/** The lines of a worked example, each with its explanation; throws PricingFault when the example cannot be priced. */
export function explainExample(example: Example, spec: RateSetSpec, snapshot: Snapshot): QuoteLine[] {
  const program = programOf(spec, snapshot)
  if (!program) return []
  return linesOf(example.given, spec, program, true).lines
}

const programOf = ({ pricingCode, financialYear }: RateSetSpec, snapshot: Snapshot): Program | undefined =>
  Object.values(snapshot.programs).find(
    (each) => each.pricingCode === pricingCode && each.financialYear === financialYear,
  )

const isWord = (text: string) => !/^-?\d/.test(text)

function agrees(expected: string, got: string): boolean {
  if (isWord(expected) || isWord(got)) return expected === got
  return compare(parseExact(expected), parseExact(got)) === 0
}

function resultsOf(given: Given, keys: string[], spec: RateSetSpec, program: Program): Record<string, string> {
  const { unpriced, lines } = linesOf(given, spec, program, false)
  const known = new Set([...program.order.map(({ name }) => name), ...lines.map(({ component }) => component)])
  const figureOf = (key: string) => {
    const component = componentOf(key)
    if (component === undefined) return figureIn(lines, key)
    if (unpriced.has(component)) return 'unpriced'
    return known.has(component) ? figureIn(lines, key) : 'unknown component'
  }
  return Object.fromEntries(keys.map((key) => [key, figureOf(key)]))
}

/** Every line of the quote, and the components without a line. */
function linesOf(given: Given, spec: RateSetSpec, program: Program, explain: boolean) {
  const date = given.date ?? yearDates(spec.financialYear).startDate
  const request = { ...requestOf(given, spec.pricingCode, date), options: { explain } }
  const state = stateOf(request, quoteDefaults(given, spec, program, dayOf(date)), program)
  const onRoad = priceLines(program, state).flatMap((line) => (line ? [onRoadLine(line)] : []))
  const { dutiable, additional = [] } = request.pricingInputs
  const own = requestLines(dutiable, 'dutiable', program, state)
  const lines = [...own, ...onRoad, ...requestLines(additional, 'additional', program, state)]
  return { lines, unpriced: new Set(state.messages.unpriced.map(({ component }) => component)) }
}

/**
 * The values that an example leaves to the interface's defaults; throws PricingFault when the set lacks the concession.
 */
function quoteDefaults(given: Given, spec: RateSetSpec, program: Program, day: number): QuoteDefaults {
  const concession = given.concession === undefined ? null : program.concessions.get(given.concession)
  if (concession === undefined) {
    throw new PricingFault('INVALID_CONCESSION', '/customer/concession/type', `${given.concession} is not a concession`)
  }
  const registrationType = registrationTypeOf(given.registrationType)
  const termMonths = termMonthsOf(given.termMonths, spec.offers?.terms ?? [])
  const condition = conditionOf(given.condition, registrationType)
  return { day, ageDay: day, termMonths, registrationType, condition, concession }
}
