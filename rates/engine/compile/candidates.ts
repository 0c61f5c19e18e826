import { addYears, dayOf } from '../dates.ts'
import { BOOLEAN_FACTS, DATE_FACTS, ENUM_FACTS, NUMBER_FACTS, type EnumFact, type Fact } from '../grammar/facts.ts'
import { MASSES } from './possible.ts'
import { FACT_INDEX, isUnknown, type State } from '../state.ts'

/**
 * Values of each fact that are worth trying, as the state stores them: one of each group of values that the tests
 * considered cannot tell apart. The fewer tests are considered, the fewer values remain, so the values are those of one
 * component or one class, not of a whole set.
 */
export interface Candidates {
  readonly bySlot: readonly (readonly number[])[]
  /** Ages in years that the tests ask for, counted from either date. */
  readonly ages: readonly number[]
}

/** Usual values, and the limits of the interface: a vehicle also has facts that no test of the set mentions. */
const USUAL: Record<(typeof NUMBER_FACTS)[number], readonly number[]> = {
  cylinders: [4, 0, 48],
  rotors: [0, 2, 12],
  seats: [5, 2, 1, 200],
  tareKg: [1500, 1, 100_000],
  gvmKg: [2000, 2500, 4495, 1000, 1500, 1, 200_000],
  kerbMassKg: [1600, 1, 2450, 200_000],
  // A vehicle that burns fuel emits more than nothing; every vehicle has a seat and a mass.
  co2GPerKm: [150, 1, 0, 10_000],
  engineCapacityCc: [2000, 1, 0, 100_000],
  fuelConsumptionLPer100km: [8, 0.1, 0, 1000],
  year: [2020, 1885, 9999],
  termMonths: [12, 1, 60],
}

/** Collects the values that the conditions, charges and tables of some parts of a set can tell apart. */
export function candidatesOf(parts: readonly unknown[]): Candidates {
  const found: Found = { edges: new Map(), words: new Map(), whole: new Set(), ages: new Set() }
  for (const part of parts) walk(part, (node) => collect(node, found))
  const bySlot: number[][] = []
  for (const fact of Object.keys(FACT_INDEX) as Fact[]) bySlot[FACT_INDEX[fact]] = valuesOf(fact, found)
  return { bySlot, ages: [...found.ages] }
}

type Node = Readonly<Record<string, unknown>>

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Node)
  for (const each of Object.values(value)) walk(each, visit)
}

interface Found {
  edges: Map<string, Set<number>>
  /** The lists of words with which the tests of each fact compare it. */
  words: Map<string, (readonly string[])[]>
  /** Facts of which every value matters, such as a mass that is charged by the kilogram. */
  whole: Set<string>
  ages: Set<number>
}

function collect(node: Node, found: Found): void {
  collectWords(node, found)
  for (const fact of [...NUMBER_FACTS, ...DATE_FACTS]) {
    for (const edge of Object.values((node[fact] as Node | undefined) ?? {})) put(found.edges, fact, edge)
  }
  const { fact, rows, age } = node as { fact?: string; rows?: Node[]; age?: Node }
  if (fact !== undefined && rows) for (const { upTo } of rows) put(found.edges, fact, upTo)
  for (const years of [age?.moreThanYears, age?.atMostYears]) if (typeof years === 'number') found.ages.add(years)
  collectWhole(node as { units?: Node; sum?: unknown[] }, found)
}

function collectWords(node: Node, { words }: Found): void {
  for (const fact of Object.keys(ENUM_FACTS)) {
    const list = node[fact]
    if (Array.isArray(list)) words.set(fact, [...(words.get(fact) ?? []), list as string[]])
  }
}

/**
 * Collects the facts that a charge counts by the unit or that a derived fact sums. The sum of a basis has texts, not
 * facts.
 */
function collectWhole({ units, sum = [] }: { units?: Node; sum?: unknown[] }, { whole }: Found): void {
  if (units) whole.add(String(units['of']))
  for (const addend of sum) if (typeof addend === 'object') whole.add(String((addend as Node)['fact']))
}

function put(edges: Map<string, Set<number>>, fact: string, text: unknown): void {
  if (typeof text !== 'string') return
  const own = edges.get(fact) ?? new Set()
  own.add((DATE_FACTS as readonly string[]).includes(fact) ? dayOf(text) : Number(text))
  edges.set(fact, own)
}

function valuesOf(fact: Fact, { edges: all, words, whole }: Found): number[] {
  const edges = all.get(fact) ?? new Set<number>()
  if (fact in ENUM_FACTS) return onePerKind(ENUM_FACTS[fact as EnumFact], words.get(fact) ?? [])
  if ((BOOLEAN_FACTS as readonly string[]).includes(fact)) return [0, 1]
  if ((DATE_FACTS as readonly string[]).includes(fact)) return [...edges].flatMap((day) => [day, nextDay(day)])
  const usual = USUAL[fact as keyof typeof USUAL]
  if (!usual) return []
  const beside = [...edges].flatMap((edge) => [edge, edge + 1, edge - 1])
  const values = new Set([...usual, ...beside].filter((value) => value >= 0))
  return whole.has(fact) ? [...values] : onePerInterval([...values], edges)
}

/** The code of the first word in each group of words that the lists cannot tell apart. */
function onePerKind(all: readonly string[], lists: readonly (readonly string[])[]): number[] {
  const kinds = new Map<string, number>()
  for (const [code, word] of all.entries()) {
    const kind = lists.map((list) => (list.includes(word) ? '1' : '0')).join('')
    if (!kinds.has(kind)) kinds.set(kind, code)
  }
  return [...kinds.values()]
}

/** The first value in each interval that tests with these edges cannot tell apart from the others in it. */
function onePerInterval(values: readonly number[], edges: ReadonlySet<number>): number[] {
  const places = new Map<number, number>()
  for (const value of values) {
    const below = [...edges].filter((edge) => edge < value).length
    const place = 2 * below + Number(edges.has(value))
    if (!places.has(place)) places.set(place, value)
  }
  return [...places.values()]
}

/** The day before another. */
function dayBefore(day: number): number {
  const date = new Date(Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, (day % 100) - 1))
  return (date.getUTCFullYear() * 100 + date.getUTCMonth() + 1) * 100 + date.getUTCDate()
}

/** A day soon after another: the next day, or after the 28th the first of the next month. */
function nextDay(day: number): number {
  if (day % 100 < 28) return day + 1
  const month = Math.floor(day / 100)
  return (month % 100 === 12 ? month + 89 : month + 1) * 100 + 1
}

const isDateSlot = (slot: number) => slot === FACT_INDEX.manufactureDate || slot === FACT_INDEX.firstRegisteredDate

/** Values of a fact on the day of a request. For a date, these include days just inside and just outside each age. */
export function candidatesAt({ bySlot, ages }: Candidates, slot: number, ageDay: number): readonly number[] {
  if (!isDateSlot(slot)) return bySlot[slot] ?? []
  const turned = ages.map((years) => addYears(ageDay, -years))
  return [ageDay, ...turned, addYears(ageDay, -100), ...turned.map(dayBefore), ...(bySlot[slot] ?? [])]
}

/**
 * Values of a fact, given the known facts of a vehicle. The value of an unknown mass lies between the known masses;
 * because these are among the values, each interval that has a possible value is represented by one. The same holds for
 * an unknown date, which is not after the day on which a used vehicle is bought.
 */
export function candidatesBeside(
  candidates: Candidates,
  slot: number,
  { facts, ageDay, latestDay }: State,
): readonly number[] {
  const values = candidatesAt(candidates, slot, ageDay)
  if (latestDay < ageDay && isDateSlot(slot)) return [latestDay, ...values]
  if (!MASSES.includes(slot)) return values
  return [...values, ...MASSES.map((mass) => facts[mass]!).filter((mass) => !isUnknown(mass))]
}
