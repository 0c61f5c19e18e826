import type { Fault } from './fault.ts'
import { adjustmentsOf, casesOf, chargesOf, missingOf, rulesOf } from './parts.ts'
import { entries, optional, type At, type Check } from './subject.ts'

const CHARGE_FORMS = ['flat', 'whole', 'bands', 'interpolate', 'units', 'table', 'greatestOf']
const BAND_FORMS = ['flat', 'whole', 'excess', 'interpolate']
const OUTCOMES = ['charge', 'exempt', 'unpriced', 'reject']

/** Where the grammar offers alternative forms, exactly one is used. */
export const exactlyOne: Check = ({ spec }) => {
  const charges = chargesOf(spec)
  const bands = charges.flatMap(({ path, value }) => entries(`${path}.bands`, value.bands))
  const cases = rulesOf(spec).flatMap(casesOf)
  const basisCases = entries('bases', spec.bases).flatMap(({ path, value }) => entries(`${path}.cases`, value.cases))
  return [
    ...chosen(cases, OUTCOMES),
    ...chosen(charges, CHARGE_FORMS),
    ...chosen(bands, BAND_FORMS),
    ...chosen(basisCases, ['sum', 'greatest', 'firstPresent']),
    ...chosen(missingOf(spec), ['fact', 'class', 'zone']),
    ...chosen(missingOf(spec), ['assume', 'unpriced', 'reject']),
    ...chosen(adjustmentsOf(spec), ['component', 'basis']),
    ...chosen(adjustmentsOf(spec), ['percentOff', 'amountOff', 'set']),
    ...chosen(rulesOf(spec), ['terms', 'termScale'], 0),
    ...[...charges, ...bands].flatMap(({ path, value }) => [
      ...proportionFaults(`${path}.whole`, value.whole),
      ...('excess' in value ? proportionFaults(`${path}.excess`, value.excess) : []),
    ]),
  ]
}

function chosen(parts: At<object>[], forms: string[], least = 1): Fault[] {
  return parts.flatMap(({ path, value }) => {
    const present = forms.filter((form) => form in value)
    if (present.length >= least && present.length <= 1) return []
    const found = present.length === 0 ? 'found none' : `found ${present.join(' and ')}`
    const expected = least === 0 ? 'at most' : 'exactly'
    return [{ check: 'exactly-one', path, message: `expected ${expected} one of ${forms.join(', ')}; ${found}` }]
  })
}

function proportionFaults(path: string, value: { rate?: string; per?: string; percent?: string } | undefined): Fault[] {
  return optional(path, value).flatMap(({ value: { rate, per, percent } }) => {
    const both = rate !== undefined && per !== undefined
    const either = rate !== undefined || per !== undefined
    if (percent === undefined ? both : !either) return []
    return [{ check: 'exactly-one', path, message: 'expected percent, or rate and per together' }]
  })
}
