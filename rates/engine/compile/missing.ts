import { centsOf } from './amount.ts'
import { compileWhen } from './conditions.ts'
import { dayOf } from '../dates.ts'
import { once } from './depends.ts'
import { toCents } from '../exact.ts'
import {
  BOOLEAN_FACTS,
  DATE_FACTS,
  ENUM_FACTS,
  FACTS,
  MONEY_FACTS,
  NUMBER_FACTS,
  type EnumFact,
  type Fact,
} from '../grammar/facts.ts'
import type { Missing } from '../grammar/rule.ts'
import { refuse, type NamedTest, type Place } from './scope.ts'
import { codeOf, FACT_INDEX, FALSE, TRUE, type Named, type Test, type Truth } from '../state.ts'

/** What to do when a fact, a class or a zone is unknown. */
export interface Entry {
  readonly kind: 'fact' | 'class' | 'zone'
  /** Whose value it is: a `default` of the interface, or one that the rates assume. */
  readonly says: 'default' | 'assumed'
  readonly slot: number
  readonly when: Test | null
  /** The value to assume, as the state stores it; null when the entry does not assume one. */
  readonly value: number | null
  /**
   * The value of the field as a request has it; null when a class is assumed, because several fields decide a class.
   */
  readonly shown: string | number | boolean | null
  /** The assumed class; the report looks for facts with which the vehicle is of this class. */
  readonly test: NamedTest | null
  /** Every value that a class or a zone can have; null for a fact. */
  readonly values: readonly number[] | null
  readonly warning: string | null
  readonly unpriced: string | null
}

/** The interface's defaults for facts that were not sent; they apply whatever a set declares. */
export const DEFAULTS: readonly Entry[] = (['customerType', 'usageType'] as const).map((fact) => ({
  kind: 'fact',
  says: 'default',
  slot: FACT_INDEX[fact],
  when: null,
  value: codeOf(fact, ENUM_FACTS[fact][0]),
  shown: ENUM_FACTS[fact][0],
  test: null,
  values: null,
  warning: `${fact} not sent: ${ENUM_FACTS[fact][0]} is taken.`,
  unpriced: null,
}))

/** Compiles the entries of a rule or of a set, in file order. */
export function compileMissing(list: readonly Missing[] | undefined, place: Place): Entry[] {
  return (list ?? []).map((entry, index) => compileEntry(entry, place.at(`missing[${index}]`)))
}

function compileEntry(entry: Missing, place: Place): Entry {
  const rest = {
    says: 'assumed' as const,
    test: null,
    values: null,
    when: compileWhen(entry.when, place),
    warning: entry.warning ?? null,
    unpriced: entry.unpriced ?? null,
  }
  if (entry.fact)
    return { ...rest, kind: 'fact', slot: FACT_INDEX[entry.fact], ...factValue(entry.fact, entry, place) }
  if (entry.class) {
    const test = place.scope.classOf(entry.class, place.at('class'))
    const value = entry.assume === undefined ? null : truthOf(entry.assume, place)
    return { ...rest, kind: 'class', slot: test.slot, value, shown: null, test, values: [FALSE, TRUE] }
  }
  if (!entry.zone) return refuse(place, 'expected fact, class or zone')
  const zones = place.scope.zonesOf(entry.zone, place.at('zone'))
  const value = entry.assume === undefined ? null : zones.indexOf(entry.assume, place.at('assume'))
  const values = Array.from({ length: zones.count }, (_zone, index) => index)
  return { ...rest, kind: 'zone', slot: zones.slot, value, shown: zones.postcodeOf(value ?? -1), values }
}

function truthOf(text: string, place: Place): Truth {
  if (text !== 'true' && text !== 'false') return refuse(place.at('assume'), 'expected "true" or "false"')
  return text === 'true' ? TRUE : FALSE
}

const isIn = (list: readonly string[], fact: Fact) => list.includes(fact)

function factValue(fact: Fact, { assume }: Missing, place: Place): Pick<Entry, 'value' | 'shown'> {
  if (assume === undefined) return { value: null, shown: '' }
  if (isIn(BOOLEAN_FACTS, fact)) return { value: truthOf(assume, place), shown: assume === 'true' }
  if (isIn(DATE_FACTS, fact)) return { value: dayOf(assume), shown: assume }
  if (isIn(MONEY_FACTS, fact)) return money(assume)
  if (isIn(NUMBER_FACTS, fact) || fact === 'postcode') return numeric(assume, place)
  const words: readonly string[] = ENUM_FACTS[fact as EnumFact]
  if (!words.includes(assume)) return refuse(place.at('assume'), `expected one of ${words.join(', ')}`)
  return { value: codeOf(fact as EnumFact, assume), shown: assume }
}

function money(assume: string): Pick<Entry, 'value' | 'shown'> {
  const cents = toCents(centsOf(assume))
  return { value: cents, shown: cents }
}

function numeric(assume: string, place: Place): Pick<Entry, 'value' | 'shown'> {
  const number = Number(assume)
  return Number.isNaN(number) ? refuse(place.at('assume'), 'expected a number') : { value: number, shown: number }
}

/** Finds the entries about a fact, class or zone, in the order in which they are tried. */
export class EntryIndex {
  readonly #about = { fact: [] as Entry[][], class: [] as Entry[][], zone: [] as Entry[][] }

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) (this.#about[entry.kind][entry.slot] ??= []).push(entry)
  }

  about({ kind, slot }: Named): readonly Entry[] {
    return this.#about[kind][slot] ?? NO_ENTRIES
  }
}

/**
 * The facts to which the entries always give the same value, whatever else is unknown. Facts that a class with an entry
 * reads are excluded: when the class is assumed as a whole, its facts are never asked for one by one.
 */
export const presetsOf = (entries: readonly Entry[]): (() => readonly Entry[]) =>
  once(() => {
    const inClasses = new Set(entries.flatMap(({ test }) => (test === null ? [] : [...test.names()])))
    const firsts = [...new Map(entries.toReversed().map((entry) => [`${entry.kind} ${entry.slot}`, entry])).values()]
    return firsts.filter(({ kind, slot, when, value }) => {
      const fact = FACTS[slot]
      const isPreset = kind === 'fact' && when === null && value !== null
      return isPreset && fact !== undefined && PRESET.includes(fact) && !inClasses.has(fact)
    })
  })

/**
 * Facts that may be assumed all at once. Dates and years are excluded because together they prove the age of a vehicle;
 * money is excluded because it matters whether it was sent.
 */
const PRESET: readonly Fact[] = [
  ...(Object.keys(ENUM_FACTS) as EnumFact[]),
  ...NUMBER_FACTS.filter((fact) => fact !== 'year'),
  ...BOOLEAN_FACTS,
]

const NO_ENTRIES: readonly Entry[] = []

/** Whether the interface has a default for it. */
export const isDefaulted = ({ kind, slot }: Named): boolean => kind === 'fact' && DEFAULTED.has(slot)

const DEFAULTED = new Set(DEFAULTS.map(({ slot }) => slot))
