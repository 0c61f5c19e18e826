import { CLASS, MISSING } from '#rates/diff/definition-statements.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import { ZONES } from '#rates/diff/zone-statements.ts'
import { listWords } from '../test-words.ts'
import { constantWords, FOR_READERS } from '../reader-words.ts'
import type { SectionPart } from './sections.ts'

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

/** `Insurance duty follows CTP (10 %).`; for an assumption, the components that it selects. */
export function followerWords(part: SectionPart): string[] {
  const { kind, followers = [] } = part
  const nameOf = (component: string) => partWords({ kind: 'rule', component })
  if (followers.length === 0) return []
  if (kind !== 'rule')
    return [
      `Selects the amounts for ${listWords(
        followers.map((one) => lower(nameOf(one.component))),
        'and',
      )}.`,
    ]
  return followers.map(({ component, percent }) => {
    const share = percent === undefined ? '' : ` (${percent} %)`
    return `${nameOf(component)} follows ${lower(partWords(part))}${share}.`
  })
}

/** A name within a sentence; an abbreviation stays as it is. */
export const lower = (word: string) => (word === word.toUpperCase() ? word : word[0]!.toLowerCase() + word.slice(1))
