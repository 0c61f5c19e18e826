import type { FigureChange, Follower } from '#rates/diff/figure-change.ts'
import { isFirstPublished } from '#rates/diff/whole-sets.ts'
import { labelled, type Title } from '#rates/diff/said.ts'
import type { OfficialPage } from '#rates/diff/source-words.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import type { Notice } from '../notice.ts'
import { IN_GENERAL, OTHER_CASES } from '#rates/readers/reader-words.ts'

/** The changes of one pricing code from one day. */
export interface Section {
  pricingCode: string
  /** The readers' name: `Victoria`. */
  name: string
  /** ISO. */
  from: string
  correction: boolean
  /** The last day of the published rates, ISO; absent when it is not known. */
  lastDay?: string
  /** Rate sets that are published or withdrawn. */
  sets: FigureChange[]
  parts: SectionPart[]
  /** Further changes that are not listed. */
  more: number
}

/** The changes of one component, or of another named part. */
export interface SectionPart {
  component: string
  /** The readers' name; undefined when it has none but its name in the set. */
  heading?: string
  kind: FigureChange['kind']
  changes: FigureChange[]
  /** Components whose amounts move with these changes; the cents of one are those of the first change. */
  followers?: readonly NamedFollower[]
  /** Titles. */
  sources: string[]
  /** The official pages among them; undefined when that is unknown. */
  official?: OfficialPage[]
  /** Whether nothing was read on the official pages; `sources` are then the unofficial ones. */
  isReadElsewhere?: true
}

/** A follower; of another set, with the readers' name of its jurisdiction. */
export type NamedFollower = Follower & { name?: string }

type Names = Readonly<Record<string, string>>

type Told = Pick<Notice, 'changes' | 'more' | 'names' | 'lastDays'>
type Group = (FigureChange | NonNullable<Notice['more']>[number])[]

/** The changes of a notice by day and pricing code, then by component, figures before terms. */
export function sectionsOf({ changes, more = [], names = {}, lastDays = {} }: Told): Section[] {
  const groups = Map.groupBy([...changes, ...more], ({ from, pricingCode }) => `${from} ${pricingCode}`)
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, group]) => {
    const lastDay = lastDays[group[0]!.pricingCode]
    return { ...sectionOf(group, names), ...(lastDay !== undefined && { lastDay }) }
  })
}

function sectionOf(group: Group, names: Names): Section {
  const { pricingCode, from } = group[0]!
  const changes = group.filter((one) => 'component' in one)
  const more = group.reduce((sum, one) => sum + ('count' in one ? one.count : 0), 0)
  const sets = changes.filter(({ kind }) => kind === 'set')
  const figures = changes.filter(({ kind }) => kind !== 'set')
  const parts = Map.groupBy(figures, ({ kind, component }) => `${kind} ${component}`)
  return {
    pricingCode,
    name: names[pricingCode] ?? pricingCode,
    from,
    more,
    // The first publication of a set corrects nothing.
    correction: group.some((one) => one.correction === true) && !sets.some(isFirstPublished),
    sets,
    // A reader meets a new zone before its amounts.
    parts: [...parts.values()]
      .map((of) => partOf(of, names))
      .sort((a, b) => Number(isOfZones(b)) - Number(isOfZones(a))),
  }
}

function partOf(changes: FigureChange[], names: Names): SectionPart {
  const { component, kind, heading } = changes[0]!
  const sorted = inGeneral(changes.toSorted((a, b) => Number(a.about !== 'figure') - Number(b.about !== 'figure')))
  const isKnown = changes.some(({ official }) => official !== undefined)
  const { read, ...said } = sourcesOf(changes)
  const pages = new Map(read.flatMap(({ official }) => (official ? [[official.url, official] as const] : [])))
  const followers = followersOf(sorted, names)
  const named = {
    ...{ component, kind, ...(heading !== undefined && { heading }) },
    ...(followers.length > 0 && { followers }),
  }
  return { ...named, changes: sorted, ...said, ...(isKnown && { official: [...pages.values()] }) }
}

/** The page of the authority is the source of what was read there: if nothing was, the sources are those that were read. */
function sourcesOf(changes: readonly FigureChange[]) {
  const read = changes.filter(({ unofficial }) => unofficial === undefined)
  if (read.length > 0) return { read, sources: [...new Set(changes.flatMap((one) => one.sources))] }
  const sources = [...new Set(changes.flatMap((one) => one.unofficial ?? []))]
  return { read: changes, sources, isReadElsewhere: true as const }
}

/** The followers of some changes, each once; cents are those that move with the first change. */
function followersOf(changes: readonly FigureChange[], names: Names): NamedFollower[] {
  const all = changes.flatMap(({ followers = [] }, at) =>
    followers.map(({ charged, ...one }) => (at === 0 && charged ? { ...one, charged } : one)),
  )
  const groups = Map.groupBy(all, ({ component, pricingCode }) => `${pricingCode ?? ''} ${component}`)
  return [...groups.values()].map(([one]) => {
    const name = one!.pricingCode === undefined ? undefined : (names[one!.pricingCode] ?? one!.pricingCode)
    return { ...one!, ...(name !== undefined && { name }) }
  })
}

/** The changes of a part; the remaining case is not called `all other cases` where no case is told before it. */
function inGeneral(changes: readonly FigureChange[]): FigureChange[] {
  const isOther = ({ words }: Title) => words === OTHER_CASES
  const named = changes.findIndex(({ titles = [] }) => titles.some((one) => one.condition && !isOther(one)))
  return changes.map((one, at) => {
    const { titles = [], what } = one
    if (!titles.some(isOther) || what === undefined || (named !== -1 && named < at)) return one
    const general = titles.map((title) => (isOther(title) ? { ...title, words: IN_GENERAL } : title))
    return { ...one, titles: general, label: labelled(general, what) }
  })
}

/** Sections with at most this many listed changes each; the others are counted. */
export function shortened(sections: readonly Section[], most: number): Section[] {
  return sections.map((section) => {
    let room = most
    const parts = section.parts.map((part) => {
      const changes = part.changes.slice(0, room)
      room -= changes.length
      return { ...part, changes }
    })
    const all = section.parts.reduce((sum, { changes }) => sum + changes.length, 0)
    const listed = parts.filter(({ changes }) => changes.length > 0)
    return { ...section, parts: listed, more: section.more + Math.max(0, all - most) }
  })
}
