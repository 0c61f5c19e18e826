import { grouped, isNumber } from '../diff/money.ts'
import { boundsOf, type FactName } from '../diff/vocabulary.ts'
import type { DateFact, Fact } from '../engine/grammar/facts.ts'
import { dayWords } from './day-words.ts'
import { BOOLEAN_WORDS, valueWords } from './value-words.ts'

/** The readers' name for each fact, and its unit. Add one for each new fact of the grammar. */
const FACT_WORDS: Record<Fact, string | readonly [words: string, unit: string]> = {
  bodyType: 'body',
  fuelType: 'fuel',
  condition: 'new or used',
  customerType: 'buyer',
  usageType: 'use',
  registrationType: 'kind of registration',
  gst: 'GST on the sale',
  cylinders: 'cylinders',
  rotors: 'rotors',
  seats: 'seats',
  tareKg: ['tare mass', 'kg'],
  gvmKg: ['GVM', 'kg'],
  kerbMassKg: ['kerb mass', 'kg'],
  co2GPerKm: ['CO2', 'g/km'],
  engineCapacityCc: ['engine capacity', 'cc'],
  fuelConsumptionLPer100km: ['fuel consumption', 'L/100 km'],
  year: 'year of manufacture',
  termMonths: ['term', 'months'],
  previouslyRegistered: 'registered before',
  demonstrator: 'demonstrator',
  manufactureDate: 'date of manufacture',
  firstRegisteredDate: 'date of first registration',
  dutiable: 'dutiable amount',
  listPrice: 'list price',
  marketValue: 'market value',
  lctPreviouslyPaid: 'luxury car tax paid before',
  postcode: 'postcode',
}

/** The event on the day that is tested. */
const DAY_WORDS: Record<DateFact | 'requestedDate', string> = {
  manufactureDate: 'made',
  firstRegisteredDate: 'first registered',
  requestedDate: 'registration starting',
}

/** Facts that are counts, not measurements. */
const COUNTED = new Set<string>(['cylinders', 'rotors', 'seats'])

/** The readers' name for a fact; undefined when it is not a fact. */
export function factWords(name: string): FactName | undefined {
  const found = Object.hasOwn(FACT_WORDS, name) ? FACT_WORDS[name as Fact] : undefined
  if (found === undefined || typeof found === 'string') return found === undefined ? undefined : { words: found }
  return { words: found[0], unit: found[1] }
}

/** A number as readers write it; a year has no separator of thousands. */
export function measureWords(value: string, fact: string): string {
  if (!isNumber(value) || fact === 'year') return value
  const [whole = '', places] = value.split('.')
  return `${grouped(whole)}${places === undefined ? '' : `.${places}`}`
}

/** `business use or taxi`, `tare mass of at least 4,500 kg`, `never registered before`. */
export function testWords(fact: string, test: unknown, { named, isAlone }: TestAround): string {
  if (typeof test === 'boolean') return booleanWords(fact, test, named)
  if (Array.isArray(test)) return anyOf(fact, test.map(String), isAlone)
  if (typeof test !== 'object' || test === null) return `${named(fact)} ${String(test)}`
  const bounds = Object.fromEntries(boundsOf(test)) as Bounds
  if (Object.hasOwn(DAY_WORDS, fact)) return `${DAY_WORDS[fact as DateFact]} ${dayBounds(bounds)}`
  if (COUNTED.has(fact)) return countWords(fact, bounds)
  const { words, unit } = factWords(fact) ?? { words: named(fact) }
  const { above, min, max, below } = bounds
  const measured = (word: string, value: string | undefined) =>
    value === undefined ? [] : [`${word} ${measureWords(value, fact)}`]
  const isYear = fact === 'year'
  const all = [
    ...measured(isYear ? 'after' : 'above', above),
    ...measured(isYear ? 'from' : 'of at least', min),
    ...measured('up to', max),
    ...measured(isYear ? 'before' : 'below', below),
  ]
  return `${words} ${all.join(' and ')}${unit === undefined ? '' : ` ${unit}`}`
}

/** `named`: the name of a sum of facts; `isAlone`: whether this is the only test. */
interface TestAround {
  named: (name: string) => string
  isAlone: boolean
}

/** `ute, cab chassis or van`; next to other tests, which `and` joins, a word marks where the list begins. */
function anyOf(fact: string, values: readonly string[], isAlone: boolean): string {
  const words = listWords(values.map((value) => valueWords(fact, value) ?? value))
  if (isAlone || values.length < 2) return words
  return `${values.length === 2 ? 'either' : 'any of'} ${words}`
}

type Bounds = Partial<Record<'above' | 'min' | 'max' | 'below' | 'from' | 'to', string>>

function booleanWords(fact: string, test: boolean, named: (name: string) => string): string {
  if (!Object.hasOwn(BOOLEAN_WORDS, fact)) return test ? named(fact) : `not ${named(fact)}`
  const [yes, no] = BOOLEAN_WORDS[fact as keyof typeof BOOLEAN_WORDS]
  return test ? yes : no
}

/** `from 1 July 2026`, `by 30 June 2027`. */
const dayBounds = ({ from, to }: Bounds): string =>
  [...(from === undefined ? [] : [`from ${dayWords(from)}`]), ...(to === undefined ? [] : [`by ${dayWords(to)}`])].join(
    ' and ',
  )

/** `5 to 6 cylinders`, `7 or more cylinders`, `no cylinders`. */
function countWords(fact: string, { above, min, max, below }: Bounds): string {
  if (min !== undefined && min === max) return min === '1' ? `1 ${fact.slice(0, -1)}` : `${min} ${fact}`
  if (min === undefined && max === '0') return `no ${fact}`
  const all = [
    ...betweenWords(min, max),
    ...(above === undefined ? [] : [`more than ${above}`]),
    ...(below === undefined ? [] : [`fewer than ${below}`]),
  ]
  return `${all.join(' and ')} ${fact}`
}

function betweenWords(min: string | undefined, max: string | undefined): string[] {
  if (min !== undefined) return [max === undefined ? `${min} or more` : `${min} to ${max}`]
  return max === undefined ? [] : [`up to ${max}`]
}

/** `a`, `a or b`, `a, b or c`. */
export const listWords = (words: readonly string[], by = 'or'): string =>
  [words.slice(0, -1).join(', '), words.at(-1) ?? ''].filter((one) => one !== '').join(` ${by} `)

/** `made more than 2 years ago`. */
export function ageWords(fact: string, ago: readonly string[]): string {
  const what = Object.hasOwn(DAY_WORDS, fact) ? DAY_WORDS[fact as DateFact] : fact
  return `${what} ${ago.join(' and ')}`
}
