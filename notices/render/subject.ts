import type { Section } from './sections.ts'
import { dayWords, oneLine } from './words.ts'

/** Pricing codes that a subject names. */
const MOST = 3

/** What changes, where, and from when. */
export function subjectOf(sections: readonly Section[], environment: string): string {
  const corrections = sections.filter(({ correction }) => correction).length
  const verb = corrections === sections.length ? 'are corrected' : 'change'
  const mixed = corrections > 0 && corrections < sections.length ? ', with corrections' : ''
  const place = environment === '' ? '' : ` (${environment})`
  return oneLine(`Rates of ${codesOf(sections)} ${verb} from ${dayOf(sections)}${mixed}${place}`)
}

function codesOf(sections: readonly Section[]): string {
  const codes = [...new Set(sections.map(({ pricingCode }) => pricingCode))].sort()
  const rest = codes.length - MOST
  if (rest > 1) return `${codes.slice(0, MOST).join(', ')} and ${rest} more`
  return codes.length === 1 ? codes[0]! : `${codes.slice(0, -1).join(', ')} and ${codes.at(-1)}`
}

function dayOf(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ from }) => from))].sort()
  return `${dayWords(days[0]!)}${days.length > 1 ? ' on' : ''}`
}
