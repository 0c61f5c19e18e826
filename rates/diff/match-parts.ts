import { listKey, type Statement } from './statements.ts'

/*
 * Parts of lists are identified by their content: a rule by its condition, a band by its end. When one version has a
 * part that the other version lacks, and the other has a new part that differs only in a figure, the two are the same
 * part, under the name of the earlier one.
 */

/** All statements of a set at one time. */
export type Version = readonly Statement[]

/** Positions of two versions. */
export type Compared = readonly [number, number]

/** Depth of nested lists: rules, their cases, and the bands or rows of cases. */
const DEEPEST = 3

/** The versions with each part under the same name in all of them. No two parts of one version get the same name. */
export function matchedParts(versions: readonly Version[], compared: readonly Compared[]): readonly Version[] {
  let matched = versions
  for (let depth = 0; depth < DEEPEST; depth++) matched = matchedAt(depth, matched, compared)
  return matched
}

interface Part {
  list: string
  name: string
  shape: string
  position: number
  /** Its statements, by what they are about. */
  figures: Map<string, readonly string[]>
}

/** The parts of one version at one depth, by list and name. */
type Lists = ReadonlyMap<string, ReadonlyMap<string, Part>>

function matchedAt(depth: number, versions: readonly Version[], compared: readonly Compared[]): readonly Version[] {
  const lists = versions.map((version) => listsAt(depth, version))
  const names = new Names(lists)
  for (const [first, second] of compared) {
    for (const [list, parts] of lists[first]!) pair(names.inList(list), parts, lists[second]!.get(list))
  }
  return versions.map((version) => version.map((one) => renamed(one, depth, names)))
}

function listsAt(depth: number, version: Version): Lists {
  const lists = new Map<string, Map<string, Part>>()
  for (const one of version) {
    const place = one.places?.[depth]
    if (!place) continue
    const list = `${listKey(one, depth)} ${place.list}`
    const parts = lists.get(list) ?? new Map<string, Part>()
    lists.set(list, parts)
    const known = { list: place.list, name: place.name, shape: place.shape, position: parts.size, figures: new Map() }
    const part = parts.get(place.name) ?? known
    parts.set(place.name, part)
    const isFigure = one.about === 'figure' && one.role !== 'edge'
    if (isFigure)
      part.figures.set(
        `${listKey({ ...one, places: one.places!.slice(depth + 1) })} ${one.key}`,
        one.parts ?? [one.value],
      )
  }
  return lists
}

/** Which names in each list mean the same part. */
class Names {
  readonly #lists = new Map<string, NamesOfList>()

  constructor(versions: readonly Lists[]) {
    for (const [version, lists] of versions.entries()) {
      for (const [list, parts] of lists) {
        for (const name of parts.keys()) this.inList(list).add(name, version)
      }
    }
  }

  inList(list: string): NamesOfList {
    const known = this.#lists.get(list) ?? new NamesOfList()
    this.#lists.set(list, known)
    return known
  }
}

class NamesOfList {
  /** The versions that have a part, by its earliest name. */
  readonly #versions = new Map<string, Set<number>>()
  readonly #earliest = new Map<string, string>()

  add(name: string, version: number): void {
    const versions = this.#versions.get(name) ?? new Set()
    this.#versions.set(name, versions.add(version))
  }

  of(name: string): string {
    return this.#earliest.get(name) ?? name
  }

  /** Gives two parts one name, unless some version has both. */
  join(first: string, second: string): void {
    const [earliest, later] = [this.of(first), this.of(second)]
    const [had, has] = [this.#versions.get(earliest)!, this.#versions.get(later)!]
    if (earliest === later || [...had].some((version) => has.has(version))) return
    this.#versions.set(earliest, new Set([...had, ...has]))
    this.#versions.delete(later)
    for (const [name, known] of this.#earliest) if (known === later) this.#earliest.set(name, earliest)
    this.#earliest.set(later, earliest)
  }
}

/** Joins the parts that one version lacks with the parts that only the other has, most similar first. */
function pair(names: NamesOfList, were: ReadonlyMap<string, Part>, are: ReadonlyMap<string, Part> | undefined): void {
  if (!are) return
  const gone = missingFrom(names, were, are)
  const come = missingFrom(names, are, were)
  const isOnly = were.size === 1 && are.size === 1
  const pairs = gone.flatMap((old) => come.map((now) => ({ old, now, alike: likeness(old, now) })))
  const fitting = pairs.filter(({ old, now, alike }) => isOnePart(old, now, alike, isOnly))
  const distance = ({ old, now }: (typeof pairs)[number]) => Math.abs(old.position - now.position)
  const left = new Set([...gone, ...come])
  for (const { old, now } of fitting.sort((a, b) => b.alike - a.alike || distance(a) - distance(b))) {
    if (!left.has(old) || !left.has(now)) continue
    names.join(old.name, now.name)
    left.delete(old)
    left.delete(now)
  }
}

function missingFrom(names: NamesOfList, some: ReadonlyMap<string, Part>, others: ReadonlyMap<string, Part>): Part[] {
  const there = new Set([...others.keys()].map((name) => names.of(name)))
  return [...some.values()].filter(({ name }) => !there.has(names.of(name)))
}

/** The share of statements on which two parts agree, between 0 and 1. */
function likeness(old: Part, now: Part): number {
  const keys = new Set([...old.figures.keys(), ...now.figures.keys()])
  const shares = [...keys].map((key) => shareOf(old.figures.get(key), now.figures.get(key)))
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

function shareOf(were: readonly string[] | undefined, are: readonly string[] | undefined): number {
  if (were === undefined || are === undefined) return 0
  return (2 * were.filter((part) => are.includes(part)).length) / (were.length + are.length)
}

/**
 * Whether two parts may be the same. A band or row with another end is the same part only if its charge is the same;
 * otherwise the charge between the two ends differs, and that is reported.
 */
function isOnePart(old: Part, now: Part, alike: number, isOnly: boolean): boolean {
  if (old.list === 'bands' || old.list === 'rows') return old.shape === now.shape && alike === 1
  if (old.list === 'rules') return isOnly || old.shape === now.shape || alike > 0.5
  return old.shape === now.shape
}

function renamed(one: Statement, depth: number, names: Names): Statement {
  const { places = [], order } = one
  const place = places[depth]
  if (place) {
    const name = names.inList(`${listKey(one, depth)} ${place.list}`).of(place.name)
    return name === place.name ? one : { ...one, places: places.with(depth, { ...place, name }) }
  }
  if (!order || places.length !== depth) return one
  const list = names.inList(`${listKey(one)} ${order.list}`)
  return { ...one, order: { ...order, names: order.names.map((name) => list.of(name)) } }
}
