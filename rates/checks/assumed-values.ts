import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, MONEY_FACTS, NUMBER_FACTS } from '../engine/grammar/facts.ts'
import type { Fault } from './fault.ts'
import { isDate } from '../engine/dates.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Missing } from '../engine/grammar/rule.ts'
import { missingOf } from './parts.ts'
import type { Check } from './subject.ts'

/**
 * A value assumed for a missing fact is one that the fact can have, and has a warning, so that the quote can report it.
 */
export const assumedValues: Check = ({ spec }) =>
  missingOf(spec).flatMap(({ path, value }) => {
    if (value.assume === undefined) return []
    const expected = expectation(value, spec)
    const faults = value.warning === undefined ? [silent(path)] : []
    if (expected.test(value.assume)) return faults
    return [...faults, fault(`${path}.assume`, `${value.assume} is not ${expected.words}`)]
  })

const fault = (path: string, message: string): Fault => ({ check: 'assumed-values', path, message })

const silent = (path: string): Fault =>
  fault(path, 'a value is assumed and there is no warning: the quote says it only where it changes a figure')

interface Expectation {
  words: string
  test: (text: string) => boolean
}

const among = (words: readonly string[]): Expectation => ({
  words: `one of ${words.join(', ')}`,
  test: (text) => words.includes(text),
})
const TRUTH = among(['true', 'false'])
const DECIMAL: Expectation = { words: 'a decimal number', test: (text) => /^-?[0-9]+(\.[0-9]+)?$/.test(text) }
const DATE: Expectation = { words: 'a day of the calendar', test: isDate }
const POSTCODE: Expectation = { words: 'a postcode of four figures', test: (text) => /^[0-9]{4}$/.test(text) }

const listed = (facts: readonly string[], fact: string) => facts.includes(fact)

function expectation({ fact, zone }: Missing, spec: RateSetSpec): Expectation {
  if (zone !== undefined)
    return among(spec.zones?.find(({ name }) => name === zone)?.values.map((one) => one.zone) ?? [])
  if (fact === undefined || listed(BOOLEAN_FACTS, fact)) return TRUTH
  if (fact in ENUM_FACTS) return among(ENUM_FACTS[fact as keyof typeof ENUM_FACTS])
  if (listed(NUMBER_FACTS, fact) || listed(MONEY_FACTS, fact)) return DECIMAL
  return listed(DATE_FACTS, fact) ? DATE : POSTCODE
}
