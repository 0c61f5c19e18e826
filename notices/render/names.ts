import { CLASS } from '#rates/diff/definition-statements.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import { ZONES } from '#rates/diff/zone-statements.ts'
import { constantWords, FOR_READERS } from '../reader-words.ts'
import type { Part } from './sections.ts'

/** `Stamp duty` for the component `STAMP_DUTY`, `Concession: pensioner`; other parts have their own names. */
export function partWords({ kind, component }: Pick<Part, 'kind' | 'component'>): string {
  if (kind === 'concession') return `Concession: ${constantWords(component)}`
  if (isOfZones({ component })) return `Zones of postcodes: ${component.slice(ZONES.length)}`
  if (kind !== 'other') return capital(constantWords(component))
  if (isOfClass({ component })) return `What counts as “${FOR_READERS.name(component.slice(CLASS.length))}”`
  return capital(FOR_READERS.name(component))
}

/** Whether a part of a set says what a class is. */
export const isOfClass = ({ component }: Pick<Part, 'component'>): boolean => component.startsWith(CLASS)

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
