import { BOUNDS, boundsOf, type Vocabulary } from '#rates/diff/vocabulary.ts'
import { grouped, isNumber, money } from '#rates/diff/money.ts'
import type { Fact } from '#rates/engine/grammar/facts.ts'

/** What readers call each fact, and its unit; a fact that the grammar gains needs a name here. */
const FACT_WORDS: Record<Fact, string | readonly [words: string, unit: string]> = {
  bodyType: 'body',
  fuelType: 'fuel',
  condition: 'condition',
  customerType: 'customer type',
  usageType: 'usage',
  registrationType: 'registration type',
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

/** What is tested beside the facts. */
const OTHER_WORDS: Record<string, string> = { requestedDate: 'first day of the registration' }

/** What readers call the fuels, whose codes are abbreviations. */
const FUEL_WORDS: Record<string, string> = {
  ICE: 'combustion engine only',
  HEV: 'hybrid',
  PHEV: 'plug-in hybrid',
  BEV: 'battery electric',
  FCEV: 'fuel cell',
}

function factWords(name: string): { words: string; unit?: string } | undefined {
  const found = Object.hasOwn(FACT_WORDS, name) ? FACT_WORDS[name as Fact] : OTHER_WORDS[name]
  if (found === undefined || typeof found === 'string') return found === undefined ? undefined : { words: found }
  return { words: found[0], unit: found[1] }
}

/** `luxury car tax` for `LUXURY_CAR_TAX`; an abbreviation, which has no vowel, stays as it is. */
export const constantWords = (name: string): string =>
  name
    .split('_')
    .map((word) => (/[AEIOUY]/.test(word) ? word.toLowerCase() : word))
    .join(' ')

/** `used above the limit` for the name `usedAboveTheLimit`, `fee unit` for `FEE_UNIT`. */
function nameWords(name: string): string {
  const fact = factWords(name)
  if (fact) return fact.unit === undefined ? fact.words : `${fact.words} in ${fact.unit}`
  if (name.toUpperCase() === name) return constantWords(name)
  return name
    .replace(/(?=[A-Z])|(?<=[a-z]{3})(?=\d)/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
}

const parameterWords = (reference: string): string => nameWords(reference.split('/').at(-1)!)

const valueWords = (value: unknown): string => {
  const text = String(value)
  return FUEL_WORDS[text] ?? text.replaceAll('_', ' ')
}

/** `usage is business or taxi`, `tare mass at least 4,500 kg`, `not registered before`. */
function testWords(name: string, test: unknown): string {
  const { words, unit = '' } = factWords(name) ?? { words: nameWords(name) }
  if (typeof test === 'boolean') return test ? words : `not ${words}`
  if (Array.isArray(test)) return `${words} is ${test.map(valueWords).join(' or ')}`
  if (typeof test !== 'object' || test === null) return `${words} is ${String(test)}`
  const bounds = boundsOf(test).map(([bound, value]) => `${BOUNDS[bound] ?? bound} ${measure(String(value), name)}`)
  return `${words} ${bounds.join(' and ')}${unit === '' ? '' : ` ${unit}`}`
}

/** A year has no separator of thousands. */
const measure = (value: string, name: string): string => {
  if (!isNumber(value) || name === 'year') return value
  const [whole = '', places] = value.split('.')
  return `${grouped(whole)}${places === undefined ? '' : `.${places}`}`
}

/** Characters up to which other cases are named. */
const SHORT = 80

/** `unless registration type is transfer`. */
function otherwiseWords(others: readonly string[]): ReturnType<Vocabulary['otherwise']> {
  if (others.length === 0) return { words: 'all others' }
  const words = [others.slice(0, -1).join(', '), others.at(-1)!].filter((one) => one !== '').join(' or ')
  return { words: words.length > SHORT ? 'where no special case applies' : `unless ${words}`, isBehind: true }
}

const STEPS: Record<string, string> = {
  '0.01': 'cent',
  '0.05': '5 cents',
  '0.10': '10 cents',
  '0.1': '10 cents',
  '1': 'dollar',
}
const MODES: Record<string, string> = { halfUp: 'to the nearest', up: 'up to the next', down: 'down to the last' }

/** Of a jurisdiction whose lists of zones do not have every postcode: the zone of the others. */
const UNLISTED = 'UNLISTED'

/** The words of a mail: a reader sells cars, and knows no name of a rate set. */
export const FOR_READERS: Vocabulary = {
  name: nameWords,
  zone: (zone) => (zone === UNLISTED ? 'postcodes that no list of zones has' : `zone ${zone}`),
  parameter: parameterWords,
  aloneParameter: () => undefined,
  test: testWords,
  sent: (facts) => facts.map((fact) => `${factWords(fact)?.words ?? nameWords(fact)} is known`).join(' and '),
  bound: ({ side, amount }) => `value ${side} ${amount}`,
  together: (tests) => tests.join(' and '),
  otherwise: otherwiseWords,
  either: (conditions) => conditions.join('; or '),
  rounding: ({ to, mode = 'halfUp' }) => `${MODES[mode] ?? mode} ${STEPS[to] ?? money(to)}`,
}
