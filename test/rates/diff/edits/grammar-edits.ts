import { isDeepStrictEqual } from 'node:util'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { fits, otherScalar, samplesOf } from './other-values.ts'
import { fieldsOf, recordOf, type Node } from './node.ts'

/** One edit of one field of a rate set. */
export interface Edit {
  /** The field of the grammar, `rules[].cases[].charge.flat`; of what is added, the fields in it too. */
  fields: readonly string[]
  /** Where in the set, `rules.3.cases.0.charge.flat`. */
  path: string
  operator: 'changed' | 'left out' | 'added' | 'without an entry' | 'with another entry' | 'swapped' | 'renamed'
  /** Makes the edit in a copy of the set. */
  apply: (spec: RateSetSpec) => void
}

type Step = string | number
type Values = Record<Step, unknown>

/** A value of a set, and what the grammar says of it. */
interface Place {
  node: Node
  value: unknown
  field: string
  steps: readonly Step[]
}

/** What stands in a set or in others under the name of a field, those of the set itself first. */
type Donors = ReadonlyMap<string, readonly unknown[]>

interface Around {
  donors: Donors
  /** The fields that were added to the set, one at a time. */
  seen: Set<string>
}

/**
 * Every edit of every field of a set, from the grammar alone: each scalar becomes another, each part that may be left out is,
 * each part that may be there and is not is added, each list loses, gains and exchanges entries, each name is replaced
 * wherever it stands. `others` are sets whose values may be taken over.
 */
export function* grammarEdits(
  spec: RateSetSpec,
  others: readonly RateSetSpec[],
  grammar: unknown = RateSetSpec,
): Generator<Edit> {
  const around = { donors: donorsOf([spec, ...others]), seen: new Set<string>() }
  yield* editsAt({ node: grammar as Node, value: spec, field: '', steps: [] }, around)
}

function* editsAt(place: Place, around: Around): Generator<Edit> {
  const { node, value } = place
  const record = recordOf(node)
  if (node.properties) yield* objectEdits(place, node.properties, around)
  else if (record)
    yield* objectEdits(place, Object.fromEntries(Object.keys(value as object).map((key) => [key, record])), around)
  else if (node.items) yield* listEdits(place, node.items, around)
  else yield* scalarEdits(place, around)
}

function* objectEdits(place: Place, properties: Readonly<Record<string, Node>>, around: Around): Generator<Edit> {
  const { value, field, steps, node } = place
  for (const [name, inner] of Object.entries(properties)) {
    const isRecord = node.properties === undefined
    const own = isRecord ? `${field}[]` : [field, name].filter(Boolean).join('.')
    const there = { node: inner, value: (value as Values)[name], field: own, steps: [...steps, name] }
    if (there.value === undefined) {
      yield* added(there, around)
      continue
    }
    if (!node.required?.includes(name)) yield edit(there, 'left out', (parent, key) => void delete parent[key])
    yield* editsAt(there, around)
  }
}

/** What is added where it is absent: as it stands elsewhere, and so that each field in it is added once to a set. */
function* added(place: Place, { donors, seen }: Around): Generator<Edit> {
  if (isSeen(place, seen)) return
  const known = (donors.get(String(place.steps.at(-1))) ?? []).find((one) => fits(place.node, one))
  for (const value of [...(known === undefined ? [] : [known]), ...samplesOf(place.node)]) {
    const fields = [place.field, ...innerFields(place.node, value, place.field)]
    if (fields.every((field) => seen.has(field))) continue
    for (const field of fields) seen.add(field)
    yield { ...edit(place, 'added', (parent, key) => void (parent[key] = structuredClone(value))), fields }
  }
}

/** Whether a field and all below it were added. */
const isSeen = ({ node, field }: Place, seen: ReadonlySet<string>): boolean =>
  [field, ...fieldsOf(node, field)].every((one) => seen.has(one))

/** The fields of a value, below a field. */
function innerFields(node: Node, value: unknown, field: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (node.items) return (value as unknown[]).flatMap((one) => innerFields(node.items!, one, `${field}[]`))
  return Object.entries(value).flatMap(([name, one]) => {
    const inner = node.properties?.[name]
    return inner ? [`${field}.${name}`, ...innerFields(inner, one, `${field}.${name}`)] : []
  })
}

function* listEdits(place: Place, items: Node, around: Around): Generator<Edit> {
  const list = place.value as unknown[]
  const field = `${place.field}[]`
  for (const [at, value] of list.entries()) {
    const there = { node: items, value, field, steps: [...place.steps, at] }
    if (list.length > 1)
      yield edit({ ...there, field: place.field }, 'without an entry', (_, key, all) => void all.splice(Number(key), 1))
    const next = list[at + 1]
    if (next !== undefined && !isDeepStrictEqual(next, value))
      yield edit(
        { ...there, field: place.field },
        'swapped',
        (parent) => void ([parent[at], parent[at + 1]] = [parent[at + 1], parent[at]]),
      )
    yield* editsAt(there, around)
  }
  const known = around.donors.get(`${String(place.steps.findLast((step) => typeof step === 'string'))}[]`) ?? []
  const other = [...known, ...samplesOf(items)].find(
    (one) => fits(items, one) && !list.some((own) => isDeepStrictEqual(own, one)),
  )
  if (other === undefined) return
  const last = { ...place, steps: [...place.steps, list.length] }
  yield edit(last, 'with another entry', (_, __, all) => void all.push(structuredClone(other)))
}

/** A name of a set, in capitals or as a word. */
const NAME = /^\^\[A-Z/

function* scalarEdits(place: Place, around: Around): Generator<Edit> {
  const { node, value, field, steps } = place
  const own = field.endsWith('[]')
    ? `${String(steps.findLast((step) => typeof step === 'string'))}[]`
    : String(steps.at(-1))
  const known = around.donors.get(own) ?? []
  // Not all places take the same one.
  const turn = steps.reduce<number>((sum, step) => sum + (typeof step === 'number' ? step : 0), 0) % (known.length || 1)
  const other = otherScalar(node, value, [...known.slice(turn), ...known.slice(0, turn)])
  if (other !== undefined) yield edit(place, 'changed', (parent, key) => void (parent[key] = other))
  if (NAME.test(node.pattern ?? '') && typeof value === 'string')
    yield { ...edit(place, 'renamed', () => undefined), apply: (spec) => renamed(spec, value, `${value}X`) }
}

/** Replaces a name wherever it stands: alone, behind a multiple or a kind, or as a key. */
function renamed(spec: RateSetSpec, from: string, to: string): void {
  const name = new RegExp(`(?<=^|[ :/])${from}$`)
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(name, to)
    if (Array.isArray(value)) return value.map(deep)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(name, to), deep(inner)]))
  }
  Object.assign(spec, deep(spec))
}

function edit(
  { field, steps }: Place,
  operator: Edit['operator'],
  change: (parent: Values, key: Step, list: unknown[]) => void,
): Edit {
  const apply = (spec: RateSetSpec) => {
    const parent = steps.slice(0, -1).reduce<unknown>((value, step) => (value as Values)[step], spec)
    change(parent as Values, steps.at(-1)!, parent as unknown[])
  }
  return { fields: [field], path: steps.join('.'), operator, apply }
}

/** All values by the name of their field, entries of lists by the name of the list with `[]`; each once. */
function donorsOf(specs: readonly RateSetSpec[]): Donors {
  const donors = new Map<string, Map<string, unknown>>()
  const keep = (name: string, value: unknown) => {
    const known = donors.get(name) ?? new Map<string, unknown>()
    donors.set(name, known)
    const text = JSON.stringify(value)
    if (!known.has(text)) known.set(text, value)
    gather(value, name)
  }
  const gather = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const one of value) keep(`${name.replace('[]', '')}[]`, one)
    else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value)) keep(key, one)
  }
  gather(specs, '')
  return new Map([...donors].map(([name, values]) => [name, [...values.values()]]))
}
