import type { Fault } from './fault.ts'
import type { Check } from './subject.ts'

const FEDERAL = 'AU'

/** The financial year is two consecutive years. */
export const yearsInARow: Check = ({ spec }) => yearFaults(spec.financialYear)

/** The same check for a spec whose shape has not been validated. */
export function yearFaults(financialYear: unknown): Fault[] {
  const [first, last] = String(financialYear).split('-').map(Number)
  if (first !== undefined && last === first + 1) return []
  return [{ check: 'years-in-a-row', path: 'financialYear', message: `${financialYear} is not two years in a row` }]
}

/** The time zone exists in the IANA database. */
export const timeZoneKnown: Check = ({ spec }) => {
  try {
    new Intl.DateTimeFormat('en-AU', { timeZone: spec.timeZone })
    return []
  } catch {
    return [
      {
        check: 'time-zone-known',
        path: 'timeZone',
        message: `${spec.timeZone} is not a time zone of the IANA database`,
      },
    ]
  }
}

/** A set that can be quoted imports the federal set, states its offers and has examples. */
export const quotableComplete: Check = ({ spec }) => {
  if (spec.quotable === false) return []
  const missing = [
    ...(spec.imports?.includes(FEDERAL) ? [] : [['imports', `a quotable set imports ${FEDERAL}`]]),
    ...(spec.offers ? [] : [['offers', 'a quotable set says which terms and registration types it offers']]),
    ...(spec.examples?.length ? [] : [['examples', 'a quotable set has at least one worked example']]),
  ]
  return missing.map(([path, message]) => ({ check: 'quotable-complete', path: path!, message: message! }))
}
