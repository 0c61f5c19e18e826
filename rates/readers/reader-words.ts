import { NO_LABELS, type SetLabels } from './set-labels.ts'
import { money } from '../diff/money.ts'
import { FOR_A_YEAR, type BasisPart, type WrittenOutcome, type Unsaid, type Vocabulary } from '../diff/vocabulary.ts'
import { ageWords, factWords, listWords, measureWords, testWords } from './test-words.ts'
import { LINE_WORDS, valueWords } from './value-words.ts'

/** `luxury car tax` for `LUXURY_CAR_TAX`; an abbreviation, which has no vowel, stays as it is. */
export const constantWords = (name: string): string =>
  name
    .split('_')
    .map((word) => (/[AEIOUY]/.test(word) ? word.toLowerCase() : word))
    .join(' ')

/** `used above the limit` for the name `usedAboveTheLimit`, `fee unit` for `FEE_UNIT`. */
function nameWords(name: string): string {
  const [kind, ofKind] = name.split(':') as [string, string?]
  if (ofKind !== undefined) return termWords(kind, ofKind)
  const fact = factWords(name)
  if (fact) return fact.words
  if (name.toUpperCase() === name) return constantWords(name)
  return name
    .replace(/(?=[A-Z])|(?<=[a-z]{3})(?=\d)/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase()
}

/** The words for an addend: `insurance` for `kind:insurance`. */
function termWords(kind: string, of: string): string {
  if (kind === 'kind') return Object.hasOwn(LINE_WORDS, of) ? LINE_WORDS[of as keyof typeof LINE_WORDS] : nameWords(of)
  return kind === 'alone' ? `${nameWords(of)} of the vehicle alone` : nameWords(of)
}

/** The words for the remaining case beside cases that are told; a mail with none of them says `IN_GENERAL` instead. */
export const OTHER_CASES = 'all other cases'
export const IN_GENERAL = 'in general'

/** The most characters in which other cases are named. */
const SHORT = 80

/** The most bodies that are named; more are named by what they are not. */
const FEW = 4

/** `unless transfer of registration`; where that would be long, `ute, cab chassis or van, unless taxi`. */
const otherwiseWords: Vocabulary['otherwise'] = (others, left) => {
  if (others.length === 0) return { words: 'all others' }
  const words = listWords(others.flat())
  const isClear = others.every((tests) => tests.length === 1) && words.length <= SHORT
  if (isClear) return { words: `unless ${words}`, isBehind: true }
  if (!left || left.bodies.length > FEW) return { words: OTHER_CASES }
  const bodies = listWords(left.bodies.map((body) => valueWords('bodyType', body) ?? body))
  const unless = left.unless.flatMap((at) => others[at]!.join(' and ') || [])
  return { words: unless.length === 0 ? bodies : `${bodies}, unless ${listWords(unless)}` }
}

const STEPS: Record<string, string> = {
  '0.01': 'cent',
  '0.05': '5 cents',
  '0.10': '10 cents',
  '0.1': '10 cents',
  '1': 'dollar',
}
const MODES: Record<string, string> = { halfUp: 'to the nearest', up: 'up to the next', down: 'down to the last' }

const PARTS: Record<Parameters<Vocabulary['units']>[1]['part'], string> = {
  up: 'or part of it',
  down: 'in full',
  prorata: 'a part in proportion',
}

/** `$29.76 for each 100 kg of tare mass, or part of it`. */
const unitsWords: Vocabulary['units'] = (rate, { per, of, part }) => {
  const { words, unit } = factWords(of) ?? { words: nameWords(of) }
  return `${rate} for each ${measureWords(per, of)}${unit === undefined ? '' : ` ${unit}`} of ${words}, ${PARTS[part]}`
}

const REFUSED = 'not quoted'

/** Begins the value of a component that is due and has no price. */
export const UNPRICED = 'not priced'

function outcomeWords({ exempt, unpriced, reject }: WrittenOutcome): ReturnType<Vocabulary['outcome']> {
  if (exempt) {
    const line = exempt.line === 'zero' ? 'no charge, shown as $0' : 'no charge'
    return { value: `${line} (${exempt.reason})`, brief: 'no charge' }
  }
  const refused = { value: REFUSED, brief: REFUSED }
  if (unpriced === undefined) return reject ? refused : undefined
  return { value: `${UNPRICED} (${unpriced})`, brief: `${UNPRICED} (${unpriced})` }
}

const COMPUTED: Record<BasisPart, (terms: readonly string[]) => string> = {
  sum: (terms) => terms.join(' plus '),
  greatest: (terms) => `the greatest of ${listWords(terms, 'and')}`,
  firstPresent: (terms) => `the first that is stated of ${listWords(terms, 'and')}`,
  minus: (terms) => `(without ${listWords(terms, 'and')})`,
}

const WITHOUT: Record<Unsaid, (subject: string) => string> = {
  fact: (subject) => `where “${subject}” is not stated`,
  class: (subject) => `where it is not known whether “${subject}” holds`,
  zone: (subject) => `where the ${subject} is not known`,
}

/** What is assumed, of a fact with its unit. */
function assumedWords(value: string, subject: string): string {
  if (value === 'true' || value === 'false') return `${value === 'true' ? 'yes' : 'no'} is assumed`
  const { unit } = factWords(subject) ?? {}
  const words = valueWords(subject, value) ?? measureWords(value, subject)
  return `${words}${unit === undefined ? '' : ` ${unit}`} is assumed`
}

/** Shares of a year that have words of their own. */
const FACTORS: Record<string, string> = {
  '1': 'the amount for a year',
  days: 'the amount for a year, by days',
}

const stated = (fact: string): string => `stated ${factWords(fact)?.words ?? nameWords(fact)}`

/** Words for the names that a set defines: its classes, zones and parameters. */
function ofNames({ classes, parameters, lists, zones }: SetLabels) {
  const name = (one: string) => classes.get(one) ?? nameWords(one)
  const zoneList = (list: string) => lists.get(list) ?? nameWords(list)
  const zone = (one: string, list: string) => zones.get(list)?.get(one) ?? `zone ${one}`
  return {
    name,
    zone,
    zoneList,
    inZones(all: readonly string[], list: string) {
      const words = listWords(all.map((one) => zone(one, list)))
      return zones.size > 1 ? `${words} (${zoneList(list)})` : words
    },
    parameter(reference: string) {
      const own = reference.split('/').at(-1)!
      return parameters.get(own) ?? nameWords(own)
    },
    without: (subject: string, kind: Unsaid) => WITHOUT[kind](kind === 'zone' ? zoneList(subject) : name(subject)),
    assumed: (value: string, subject: string, kind: Unsaid) =>
      kind === 'zone' ? `${zone(value, subject)} is assumed` : assumedWords(value, subject),
    read: ({ fact, zone: list, columns = [] }: Parameters<Vocabulary['read']>[0]) => [
      ...(fact === undefined ? [] : [factWords(fact)?.words ?? nameWords(fact)]),
      ...(list === undefined ? [] : [zoneList(list)]),
      ...(columns.length === 0 ? [] : [listWords(columns.map(name))]),
    ],
  }
}

/** Words that are the same for all sets. */
const ALWAYS: Omit<Vocabulary, keyof ReturnType<typeof ofNames> | 'test'> = {
  fact: (name) => factWords(name) ?? { words: nameWords(name) },
  measure: measureWords,
  aloneParameter: () => undefined,
  age: ageWords,
  none: (classes) => (classes.length === 1 ? `not ${classes[0]}` : `neither ${listWords(classes, 'nor')}`),
  sent: (facts, tested) => facts.filter((fact) => !tested.includes(fact)).map(stated),
  bound: ({ side, amount }) => `value ${side} ${amount}`,
  together: (tests) => tests.join(' and '),
  otherwise: otherwiseWords,
  either: (conditions) => conditions.join('; or '),
  rounding: ({ to, mode = 'halfUp' }) => `${MODES[mode] ?? mode} ${STEPS[to] ?? money(to)}`,
  units: unitsWords,
  factor: (factor) => FACTORS[factor] ?? `${factor} of the amount for a year`,
  outcome: outcomeWords,
  // What is missing is said already, and the reason names it as a request does.
  open: () => UNPRICED,
  refused: REFUSED,
  instead: (amount) => `${amount} instead of the full amount`,
  perTerm: `${FOR_A_YEAR}, other terms in proportion`,
  computed: (part, terms) => COMPUTED[part](terms),
  order: (parts) => parts.join(', then '),
  labels: {
    outcome: 'amount',
    gst: 'GST included',
    priority: 'rank among several rules for it',
    table: 'the amount depends on',
    rows: 'rows in this order',
    cases: 'the first of these that fits counts',
    missing: 'what is assumed, in this order',
    adjustments: 'applied in this order',
    computed: 'computed as',
  },
}

/** The words of a mail. Its readers sell cars: they know the labels of a rate set, not its names. */
export function forReaders(labels: SetLabels): Vocabulary {
  const names = ofNames(labels)
  return {
    ...ALWAYS,
    ...names,
    test: (fact, test, { isSent, isAlone }) =>
      `${testWords(fact, test, { named: names.name, isAlone })}${isSent ? ' (as stated)' : ''}`,
  }
}

/** The same without the labels of any set. */
export const FOR_READERS: Vocabulary = forReaders(NO_LABELS)
