import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { valueAt, type Place } from './difference.ts'
import { placeName } from './place-names.ts'

type Step = Place[number]

/** A small mistake that somebody could make in a rate set. */
export interface Mutation {
  operator: string
  place: Place
  /** The place of the mistake, such as `rules.CTP.cases.0.charge.flat`. */
  path: string
  /** The original value, shortened. */
  was: string
  /** Makes the mistake in a copy of the set. */
  apply: (spec: RateSetSpec) => void
}

/** The parts of a set that can change a price, a warning, a grade or which fields may be asked for. */
const PRICED = [
  ...['parameters', 'classes', 'derivedFacts', 'zones', 'bases', 'termScales', 'missing', 'rules', 'concessions'],
  ...['offers', 'timeZone', 'quotable'],
] as const

/** Texts for readers, and the origin of figures: a mistake in them changes no quote. */
const FOR_PEOPLE = new Set(['verification', 'sources', 'description', 'label', 'name', 'reason', 'note', 'conflicts'])

/** A node of the set, with what contains it. */
interface Node {
  place: Place
  key: Step
  parentKey: Step | undefined
  parent: unknown
  value: unknown
}

type Operator = (node: Node) => { operator: string; change: (parent: never, key: never, spec: RateSetSpec) => void }[]

/** All mutations of a set: of each figure, date, condition, share, grade, order and part, in the order of the file. */
export function* mutationsOf(spec: RateSetSpec): Generator<Mutation> {
  for (const key of PRICED) {
    if (spec[key] !== undefined) yield* mutationsAt(spec, { place: [key], value: spec[key], parent: spec })
  }
}

function* mutationsAt(
  spec: RateSetSpec,
  { place, value, parent }: Pick<Node, 'place' | 'value' | 'parent'>,
): Generator<Mutation> {
  const key = place.at(-1)!
  if (FOR_PEOPLE.has(String(key))) return
  const node = { place, key, parentKey: place.at(-2), parent, value }
  for (const operator of OPERATORS)
    for (const each of operator(node)) {
      const apply = (copy: RateSetSpec) => each.change(valueAt(copy, place.slice(0, -1)) as never, key as never, copy)
      yield {
        operator: each.operator,
        place,
        path: placeName(spec, place),
        was: JSON.stringify(value).slice(0, 80),
        apply,
      }
    }
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name
    yield* mutationsAt(spec, { place: [...place, step], value: inner, parent: value })
  }
}

type Parent = Record<Step, unknown>

const to = (value: unknown) => (parent: Parent, key: Step) => void (parent[key] = value)

const drop = (parent: Parent, key: Step) => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else delete parent[key]
}

const one = (operator: string, change: (parent: Parent, key: Step) => void) => [{ operator, change: change as never }]

/** Adds one to the last written digit. */
const figures: Operator = ({ value, key }) => {
  if (typeof value !== 'string' || key === 'zone') return []
  const [, whole, places = '', parameter = ''] = /^(-?\d+)(?:\.(\d+))?( [A-Z_/]+)?$/.exec(value) ?? []
  if (whole === undefined) return []
  const digits = BigInt(`${whole}${places}`) + 1n
  const text = String(digits < 0n ? -digits : digits).padStart(places.length + 1, '0')
  const point = places === '' ? text : `${text.slice(0, -places.length)}.${text.slice(-places.length)}`
  return one('figure', to(`${digits < 0n ? '-' : ''}${point}${parameter}`))
}

/** Moves an end of a postcode range by one. */
const ranges: Operator = ({ value, parentKey }) => {
  const [, low, high] = (parentKey === 'postcodes' && /^(\d{4})-(\d{4})$/.exec(String(value))) || []
  if (low === undefined) return []
  const later = (postcode: string | undefined) => String(Number(postcode) + 1).padStart(4, '0')
  return [
    ...one('first of the range', to(`${later(low)}-${high}`)),
    ...one('last of the range', to(`${low}-${later(high)}`)),
  ]
}

const fractions: Operator = ({ value }) => {
  const [, above, below] = (typeof value === 'string' && /^(\d+)\/(\d+)$/.exec(value)) || []
  return below === undefined ? [] : one('share', to(`${above}/${Number(below) + 1}`))
}

// A condition lists kinds of sale; a rule has the share of its line.
const shares: Operator = ({ key, value }) =>
  key === 'gst' && typeof value === 'string' ? one('share', to(value === 'none' ? '1/11' : 'none')) : []

const dates: Operator = ({ value }) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return []
  return one('date', to(new Date(Date.parse(value) + 86_400_000).toISOString().slice(0, 10)))
}

const grades: Operator = ({ key, value }) =>
  key === 'evidence' && value !== 'official' ? one('grade', to('official')) : []

const OTHER_VALUES: Readonly<Record<string, (value: unknown) => unknown>> = {
  assume: (value) => (value === 'true' ? 'false' : value === 'false' ? 'true' : value),
  mode: (value) => (value === 'up' ? 'down' : 'up'),
  part: (value) => (value === 'up' ? 'down' : 'up'),
  line: (value) => (value === 'omit' ? 'zero' : 'omit'),
  timeZone: (value) => (value === 'Australia/Perth' ? 'Australia/Sydney' : 'Australia/Perth'),
}

const choices: Operator = ({ key, value }) => {
  const other = OTHER_VALUES[key]?.(value)
  if (typeof value === 'boolean' && key !== 'reject') return one('flag', key === 'perTerm' ? drop : to(!value))
  return other === undefined || other === value ? [] : one('choice', to(other))
}

const OPTIONAL = new Set([
  ...['when', 'round', 'atLeast', 'atMost', 'less', 'warning', 'minus', 'termScale', 'terms', 'plus'],
  ...['startDate', 'endDate', 'missing'],
])

const parts: Operator = ({ key, place, parentKey }) =>
  OPTIONAL.has(String(key)) && place.length > 1 && parentKey !== 'offers' ? one(`without ${key}`, drop) : []

const ENTRIES = new Set(['missing', 'adjustments', 'anyOf', 'rows', 'cases', 'greatestOf'])

const entries: Operator = ({ parent, parentKey, value }) => {
  if (!Array.isArray(parent) || parent.length < 2) return []
  if (typeof value === 'string') return parentKey === 'amounts' ? [] : one('without an element', drop)
  return ENTRIES.has(String(parentKey)) ? one(`without an entry of ${parentKey}`, drop) : []
}

const clauses: Operator = ({ key, parentKey, value }) => {
  if ((key !== 'when' && parentKey !== 'anyOf') || value === null || typeof value !== 'object') return []
  const names = Object.keys(value)
  if (names.length < 2) return []
  return names.flatMap((name) =>
    one(`without the clause ${name}`, (parent, at) => void delete (parent[at] as Parent)[name]),
  )
}

const ORDERED = new Set(['cases', 'anyOf', 'rows', 'adjustments', 'values', 'missing'])

const order: Operator = ({ key, value }) => {
  if (!Array.isArray(value) || !ORDERED.has(String(key))) return []
  return value.slice(1).flatMap((_, index) =>
    one(`swap of ${index} and ${index + 1}`, (parent, at) => {
      const list = parent[at] as unknown[]
      ;[list[index], list[index + 1]] = [list[index + 1], list[index]]
    }),
  )
}

const OPERATORS = [figures, ranges, fractions, shares, dates, grades, choices, parts, entries, clauses, order]
