import { rulesOf } from './parts.ts'
import type { Check } from './subject.ts'

/** A rule that depends on the term has a factor for every term that the set offers. */
export const termsOffered: Check = ({ spec }) =>
  rulesOf(spec).flatMap(({ path, value }) => {
    const scale = spec.termScales?.find(({ name }) => name === value.termScale)
    const terms = value.terms ?? scale?.terms
    if (!terms) return []
    const absent = (spec.offers?.terms ?? []).filter((months) => !terms.some((term) => term.months === months))
    if (absent.length === 0) return []
    const where = value.terms ? `${path}.terms` : `${path}.termScale`
    return [
      {
        check: 'terms-offered',
        path: where,
        message: `${absent.join(', ')} months: the set offers these terms, but this list has no factor for them`,
      },
    ]
  })
