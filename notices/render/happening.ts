import type { FigureChange } from '#rates/diff/figure-change.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import { dayAfter } from '#rates/engine/dates.ts'
import { dayWords } from '#rates/readers/day-words.ts'
import { constantWords, UNPRICED } from '#rates/readers/reader-words.ts'
import { lower, partWords } from './names.ts'
import type { SectionPart, Section } from './sections.ts'
import { listWords } from './words.ts'

/** `Victoria: amounts for plates change from 1 July 2027`. */
export const changing = (sections: readonly Section[]): string =>
  clausesOf(sections)
    .map(({ of, what }) => `${namesOf(of)}: ${happening(of, '', what)}`)
    .join('; ')

/** `amounts for plates in Victoria change from 1 July 2027`. */
export const changingIn = (sections: readonly Section[]): string =>
  clausesOf(sections, Infinity)
    .map(({ of, what }) => happening(of, ` in ${namesOf(of)}`, what))
    .join('; ')

/** Jurisdictions with changes of their own up to which each is told. */
const FEW = 2

/** Components that a subject names; the mail names all. */
const SOME = 3

/** Sections that are told in one clause: those of one jurisdiction, unless all say the same, or there are too many to tell. */
function clausesOf(sections: readonly Section[], most = SOME): { of: readonly Section[]; what: string }[] {
  const clauses = [...Map.groupBy(sections, ({ name }) => name).values()].map((of) => ({ of, what: whatOf(of, most) }))
  const [first] = clauses
  if (clauses.every(({ what }) => what === first?.what)) return [{ of: sections, what: whatOf(sections, most) }]
  return clauses.length > FEW ? [{ of: sections, what: 'rates' }] : clauses
}

/** `amounts for plates change from 1 July 2027`, or that an announced change is postponed, cancelled or earlier. */
function happening(sections: readonly Section[], where = '', what = whatOf(sections)): string {
  const changes = withoutInstead(sections.flatMap(changesIn))
  // Past days were charged by the earlier figures, so nothing in them can be postponed or cancelled any more.
  const courses = new Set(
    changes.map(({ course, correction }) => (correction && course !== 'broughtForward' ? undefined : course)),
  )
  const [course] = courses.size === 1 ? courses : []
  const announced = sections.filter((one) => changesIn(one).some((change) => changes.includes(change)))
  if (course === 'postponed') {
    const changed = changes.some(({ instead }) => instead !== undefined) ? ' and changed' : ''
    return `the change of ${what}${where} ${dayOf(announced, 'on')} is postponed${laterDay(changes)}${changed}`
  }
  if (course === 'cancelled') return `the change of ${what}${where} ${dayOf(announced, 'on')} does not take place`
  if (changes.length > 0 && changes.every(isUnpriced))
    return `${what.replace(/^amounts for /, '')}${where} can no longer be priced ${dayOf(sections, 'from')}`
  const early = course === 'broughtForward' ? ', earlier than announced' : ''
  return `${what}${where} ${verbOf(sections)} ${dayOf(sections, 'from')}${early}${withCorrections(sections)}`
}

export const changesIn = ({ sets, parts }: Section): FigureChange[] => [
  ...sets,
  ...parts.flatMap(({ changes }) => changes),
]

/** ` to 1 February 2027`, when everything is postponed to one day. */
function laterDay(changes: readonly FigureChange[]): string {
  const [day, ...more] = new Set(changes.map(({ until }) => until))
  return day === undefined || more.length > 0 ? '' : ` to ${dayWords(dayAfter(day))}`
}

/** Whether a change takes the price of a component away, which is still due. */
export const isUnpriced = ({ new: now }: FigureChange): boolean => now?.startsWith(UNPRICED) ?? false

/** Leaves out each change that begins where a postponement of the same figure ends: the postponement says it already. */
function withoutInstead(changes: readonly FigureChange[]): FigureChange[] {
  const on = ({ pricingCode, kind, component, label }: FigureChange, day: string) =>
    [pricingCode, kind, component, label, day].join(' ')
  const postponed = changes.filter(({ course, instead }) => course === 'postponed' && instead !== undefined)
  const begins = new Set(postponed.flatMap((one) => (one.until === undefined ? [] : [on(one, dayAfter(one.until))])))
  return changes.filter((one) => !begins.has(on(one, one.from)))
}

/** That some of the changes correct amounts in use. */
function withCorrections(sections: readonly Section[]): string {
  const corrections = sections.filter(({ correction }) => correction).length
  return corrections > 0 && corrections < sections.length ? ', with corrections' : ''
}

const namesOf = (sections: readonly Section[]): string =>
  listWords([...new Set(sections.map(({ name }) => name))].sort())

/** `amounts for stamp duty and CTP`, and the concessions and zones that change; `rates` of anything else. */
export function whatOf(sections: readonly Section[], most = SOME): string {
  const parts = sections.flatMap((section) => section.parts)
  const components = namesIn(parts, (part) => [
    ...(part.kind === 'rule' ? [lower(partWords(part))] : []),
    ...(part.followers ?? []).flatMap(({ component, pricingCode }) =>
      pricingCode === undefined ? [lower(partWords({ kind: 'rule', component }))] : [],
    ),
  ])
  const concessions = namesIn(parts, ({ kind, component }) => (kind === 'concession' ? [constantWords(component)] : []))
  const all = [
    ...(components.length > 0 ? [`amounts for ${listWords(components, most)}`] : []),
    ...(concessions.length > 0 ? [`concessions (${listWords(concessions, most)})`] : []),
    ...(parts.some(isOfZones) ? ['zones of postcodes'] : []),
  ]
  const last = all.at(-1)
  if (last === undefined || all.length === 1) return last ?? 'rates'
  const first = all.slice(0, -1).join(', ')
  // A list within a list needs a comma before its last word.
  return `${first}${first.includes(' and ') ? ',' : ''} and ${last}`
}

const namesIn = (parts: readonly SectionPart[], name: (part: SectionPart) => string[]): string[] => [
  ...new Set(parts.flatMap(name)),
]

function verbOf(sections: readonly Section[]): string {
  if (sections.every(({ correction }) => correction)) return 'are corrected'
  const ends = sections.every((one) => one.more === 0 && changesIn(one).every((change) => change.new === null))
  return ends ? 'no longer apply' : 'change'
}

/** The first day of some sections; also the last one, when they have one first day and everything ends on one day. */
function dayOf(sections: readonly Section[], word: 'from' | 'on'): string {
  const days = [...new Set(sections.map(({ from }) => from))].sort()
  if (days.length > 1) return `from ${dayWords(days[0]!)} on`
  const ends = new Set(sections.flatMap((one) => [...changesIn(one).map(({ until }) => until), ...openEnd(one)]))
  const [last] = ends
  const until = word === 'from' && ends.size === 1 && last !== undefined ? ` until ${dayWords(last)} only` : ''
  return `${word} ${dayWords(days[0]!)}${until}`
}

/** Changes that are only counted may last. */
const openEnd = ({ more }: Section): undefined[] => (more > 0 ? [undefined] : [])

export const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
