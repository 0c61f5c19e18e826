import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Quote } from '#rates/engine/answer.ts'
import type { Fact } from '#rates/engine/grammar/facts.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { factsNamed, fieldOf, fieldsBeside, valuesOf, withField, withoutRoom } from './fact-values.ts'
import { naiveQuote, type NaiveQuote } from './naive.ts'
import { Rejected } from './naive-facts.ts'
import { stoppingAfter } from './parameters.ts'
import { pricedWith } from './priced.ts'
import { requests } from './requests.ts'
import { drawnSets, labelOf, sets, snapshotOf } from './sets.ts'

// What an answer says it assumed is held against the interpreter that walks the sets as they are written: it assumes
// nothing but what the sets and the interface say, and knows nothing of how the engine finds out what matters.
const snapshot = snapshotOf(sets)
const parameters = stoppingAfter(700)
const quotable = drawnSets(sets.filter(({ offers }) => offers !== undefined))

const compiled = pricedWith(snapshot)

function interpreted(request: QuoteRequest): NaiveQuote | undefined {
  try {
    return naiveQuote(request, sets)
  } catch (error) {
    if (error instanceof Rejected) return undefined
    throw error
  }
}

/** What each component comes to, by name; one without a line is absent. */
const outcomesOf = ({ lines, unpriced }: NaiveQuote, left: readonly string[]): Map<string, string> =>
  new Map(
    [
      ...Object.entries(lines).map(
        ([component, { cents, grade, mayRise }]) =>
          [component, `${cents} ${grade}${mayRise ? ', may rise' : ''}`] as const,
      ),
      ...unpriced.map((component) => [component, 'unpriced'] as const),
    ].filter(([component]) => !left.includes(component)),
  )

const centsIn = (outcomes: Map<string, string>) =>
  JSON.stringify([...outcomes].map(([component, text]) => [component, text.split(' ')[0]]).sort())

/**
 * Whether another value of a fact gives another price. A value that leaves no room for what is assumed of another fact, such
 * as no emissions for petrol, asks for that fact: a component without a price is not another price.
 */
const pricedElse = (other: Map<string, string>, without: Map<string, string>): boolean => {
  const asked = [...other].filter(([name, text]) => text === 'unpriced' && without.get(name) !== text)
  const rest = (outcomes: Map<string, string>) =>
    new Map([...outcomes].filter(([name]) => !asked.some(([one]) => one === name)))
  return centsIn(rest(other)) !== centsIn(rest(without))
}

/** Whether one field stands alone in what is said, or with others that matter only together. */
const isAlone = (path: string, component: string, { metadata: { assumptions } }: Quote): boolean => {
  const own = assumptions.filter((one) => one.path === path && one.component === component)
  return own.every(({ reason }) => assumptions.every((one) => one.reason !== reason || one.path === path))
}

function holds([request, fact]: [QuoteRequest, Fact], specs: RateSetSpec[]): void {
  const field = fieldOf(fact)
  const bare = withField(request, field, undefined)
  const [answer, read] = [compiled(bare), interpreted(bare)]
  expect(answer === undefined).toBe(read === undefined)
  if (!answer || !read) return
  const left = withoutRoom(answer)
  const without = outcomesOf(read, left)
  const others = valuesOf(fact, specs, request).flatMap((value) => {
    const found = interpreted(withField(request, field, value))
    return found ? [outcomesOf(found, left)] : []
  })
  const { assumptions } = answer.metadata
  const named = assumptions.filter(({ path }) => path === field)
  const beside = fieldsBeside(fact)
  const gives = beside.length > 1 ? pricedElse : (one: typeof without) => centsIn(one) !== centsIn(without)
  if (others.some((other) => gives(other, without)))
    expect(assumptions.filter(({ path }) => beside.includes(path))).not.toEqual([])
  for (const { kind, component } of named) {
    if (component === undefined || left.includes(component)) continue
    if (!['assumed', 'default'].includes(kind) || !isAlone(field, component, answer)) continue
    // What is said of the GST in the request's own lines is said of lines of no value too.
    if (fact === 'gst' && component !== 'LUXURY_CAR_TAX') continue
    const differs = others.some((other) => other.get(component) !== without.get(component))
    expect(differs, `${field} is named for ${component}`).toBe(true)
  }
}

test.each(quotable.map((spec) => [labelOf(spec), spec] as const))(
  '%s: what is said to be assumed is what the sets, read as they are written, depend on',
  (_name, spec) => {
    const imports = sets.filter(
      ({ pricingCode, financialYear }) => spec.imports?.includes(pricingCode) && financialYear === spec.financialYear,
    )
    const specs = [spec, ...imports]
    const drawn = fc.tuple(requests(spec), fc.constantFrom(...factsNamed(specs)))
    fc.assert(
      fc.property(drawn, (one) => holds(one, specs)),
      parameters,
    )
  },
)
