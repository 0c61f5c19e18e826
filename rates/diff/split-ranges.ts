import { compare, parseExact } from '../engine/exact.ts'
import type { Version } from './match-parts.ts'
import { rangeWords, type Bound, type Range } from './ranges.ts'
import { labelled, type Place } from './said.ts'
import { listKey, type Statement } from './statements.ts'

/*
 * Bands, and rows by the edge of a fact, follow each other without gaps. When another version has an end within a band
 * of this version, the band is split there, and both parts keep its charge. So an inserted band reads as one change of
 * the charge in its range, and a label names only a range in which the whole charge changed.
 */

/** One part of a list, with its name and its statements. */
interface Part {
  name: string
  range: Range
  said: readonly Statement[]
}

/** The versions with their ranges split so that each has an end wherever some version has one. */
export function splitRanges(versions: readonly Version[]): readonly Version[] {
  const lists = versions.map(partsIn)
  const all = new Map<string, Part[]>()
  for (const list of lists) for (const [key, parts] of list) all.set(key, withNew(all.get(key) ?? [], parts))
  return versions.map((version, at) => {
    const own = lists[at]!
    return version.flatMap((one) => {
      const key = listOf(one)
      const parts = key === undefined ? undefined : own.get(key)
      if (key === undefined || !parts) return [one]
      return parts[0]?.said[0] === one ? splitList(parts, all.get(key)!) : []
    })
  })
}

const withNew = (known: readonly Part[], parts: readonly Part[]): Part[] => [
  ...known,
  ...parts.filter((part) => !known.some(({ name }) => name === part.name)),
]

/** The list of ranges to which a statement belongs; undefined when it belongs to none. */
function listOf(one: Statement): string | undefined {
  const place = one.places?.at(-1)
  return place?.range && `${listKey(one, one.places!.length - 1)} ${place.list}`
}

function partsIn(version: Version): Map<string, Part[]> {
  const groups = Map.groupBy(version, (one) => listOf(one) ?? '')
  groups.delete('')
  return new Map([...groups].map(([key, said]) => [key, partsOf(said)]))
}

function partsOf(said: readonly Statement[]): Part[] {
  const groups = Map.groupBy(said, ({ places = [] }) => places.at(-1)!.name)
  return [...groups].map(([name, own]) => ({ name, range: own[0]!.places!.at(-1)!.range!, said: own }))
}

/** The statements of one version about its own parts, and about the parts that only other versions have. */
function splitList(own: readonly Part[], all: readonly Part[]): Statement[] {
  const others = all.filter((part) => part.range.upTo && !own.some(({ name }) => name === part.name))
  if (others.length === 0) return own.flatMap(({ said }) => said)
  const bounds = [...own, ...others].flatMap(({ range }) => range.upTo ?? [])
  return [
    ...own.flatMap((part) => relabelled(part, part.said, bounds)),
    ...others.flatMap((part) => {
      const inOwn = withOwnStart(part, coveringPart(own, part.range.upTo!))
      return relabelled(inOwn, inOwn.said, bounds)
    }),
  ]
}

/**
 * A part that only other versions have, with the start of the part that covers its end. The other versions may be of
 * another year with another threshold, so their start does not count.
 */
function withOwnStart(part: Part, covering: Part | undefined): Part {
  const { upTo } = part.range
  const { above } = covering?.range ?? {}
  const isWithin = covering !== undefined && upTo !== undefined && (!above || isBelow(above, upTo))
  if (!isWithin) return { ...part, said: coveredBy(covering, part) }
  const range = { ...covering.range, upTo }
  return { ...part, range, said: coveredBy(covering, part, range) }
}

/** The statements about a part, taken from the part that covers its end; `range` is named in these statements. */
function coveredBy(covering: Part | undefined, { said }: Part, range?: Range): Statement[] {
  if (!covering) return []
  const { isFromStart } = covering.range
  const found = new Map(covering.said.map((one) => [one.key, one]))
  return said.flatMap(({ key, places, label, what, role }) => {
    const same = role === 'edge' ? undefined : found.get(key)
    if (!same) return []
    const value = isFromStart ? `${same.value} (${rangeWords(covering.range)})` : same.value
    const named = range ? renamed(same, range) : { ...same, label, ...(what !== undefined && { what }) }
    return [{ ...named, ...(places && { places }), value }]
  })
}

/** The part with the lowest end that is at or above a bound. */
function coveringPart(parts: readonly Part[], bound: Bound): Part | undefined {
  const reaching = parts.filter(({ range }) => !range.upTo || !isBelow(range.upTo, bound))
  return reaching.reduce<Part | undefined>(
    (lowest, one) => (lowest && endsBefore(lowest, one) ? lowest : one),
    undefined,
  )
}

const endsBefore = ({ range: a }: Part, { range: b }: Part): boolean =>
  a.upTo !== undefined && (!b.upTo || isBelow(a.upTo, b.upTo))

const isBelow = (a: Bound, b: Bound): boolean => compare(parseExact(a.amount), parseExact(b.amount)) < 0

/** Statements whose labels name the range from the nearest lower end of any version. */
function relabelled({ range }: Part, said: readonly Statement[], bounds: readonly Bound[]): Statement[] {
  const { above, upTo } = range
  const below = bounds.filter((bound) => !upTo || isBelow(bound, upTo))
  const [highest] = below.sort((a, b) => (isBelow(a, b) ? 1 : -1))
  if (!highest || (above && !isBelow(above, highest))) return [...said]
  const refined = { ...range, above: highest }
  return said.map((one) => (one.role === 'edge' ? one : moved(one, refined)))
}

function moved(one: Statement, range: Range): Statement {
  const { places = [] } = one
  const place: Place = { ...places.at(-1)!, range }
  return { ...renamed(one, range), places: places.with(-1, place) }
}

/** A statement with another range in its label. */
function renamed(one: Statement, range: Range): Statement {
  if (one.afterRange === undefined) return one
  const what = `${rangeWords(range)}${one.afterRange}`
  if (one.titles === undefined) return { ...one, label: what }
  return { ...one, label: labelled(one.titles, what), what }
}
