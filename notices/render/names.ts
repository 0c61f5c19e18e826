import { CLASS, MISSING } from '#rates/diff/definition-statements.ts'
import { dollars } from '#rates/diff/money.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import { ZONES } from '#rates/diff/zone-statements.ts'
import { listWords } from '#rates/readers/test-words.ts'
import { constantWords, FOR_READERS } from '#rates/readers/reader-words.ts'
import type { NamedFollower, SectionPart } from './sections.ts'

type Named = Pick<SectionPart, 'kind' | 'component' | 'heading'>

/** `Stamp duty` for the component `STAMP_DUTY`, `Concession: pensioner (Eligible pensioner)`; other parts have their own names. */
export function partWords({ kind, component, heading }: Named): string {
  if (kind === 'concession')
    return `Concession: ${constantWords(component)}${heading === undefined ? '' : ` (${heading})`}`
  if (isOfZones({ component })) return `Zones of postcodes: ${heading ?? component.slice(ZONES.length)}`
  if (isOfClass({ component })) return `What counts as “${heading ?? FOR_READERS.name(component.slice(CLASS.length))}”`
  if (kind === 'other' && component === MISSING) return 'Where a request leaves something open'
  if (heading !== undefined) return capital(heading)
  return capital(kind === 'other' ? FOR_READERS.name(component) : constantWords(component))
}

/** Whether a part defines a class. */
export const isOfClass = ({ component }: Pick<SectionPart, 'component'>): boolean => component.startsWith(CLASS)

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/**
 * `Insurance duty is 10 % of CTP: $53.40 → $55.10 for the first line above.`, or `Stamp duty in Victoria changes with
 * luxury car tax.`; for an assumption, the components that it selects.
 */
export function followerWords(part: SectionPart): string[] {
  const { kind, followers = [] } = part
  if (followers.length === 0) return []
  if (isOfZones(part)) return [`The zone decides the amounts of ${listWords(followers.map(nameOf).map(lower), 'and')}.`]
  if (kind !== 'rule') return [`Selects the amounts for ${listWords(followers.map(nameOf).map(lower), 'and')}.`]
  const groups = Map.groupBy(followers, ({ component, name }) => (name === undefined ? `own ${component}` : component))
  return [...groups.values()].map((group) => {
    const names = group.flatMap(({ name }) => name ?? [])
    const where = names.length === 0 ? '' : ` in ${listWords(names, 'and')}`
    return `${nameOf(group[0]!)}${where} ${movesWords(group[0]!, part)}.`
  })
}

const nameOf = ({ component }: Pick<NamedFollower, 'component'>) => partWords({ kind: 'rule', component })

/** `is 10 % of CTP: $53.40 → $55.10 for the first line above`, or `changes with luxury car tax`. */
function movesWords({ percent, charged }: NamedFollower, part: SectionPart): string {
  const other = lower(partWords(part))
  if (percent === undefined) return `changes with ${other}`
  const cents = charged && `: ${dollars(charged.from)} → ${dollars(charged.to)}`
  const which = cents && part.changes.length > 1 ? ' for the first line above' : ''
  return `is ${percent} % of ${other}${cents ?? ''}${which}`
}

/** A name within a sentence; an abbreviation stays as it is. */
export const lower = (word: string) => (word === word.toUpperCase() ? word : word[0]!.toLowerCase() + word.slice(1))
