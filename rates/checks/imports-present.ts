import { IMPORTS_PRESENT } from './fault.ts'
import type { Check } from './subject.ts'

/** Every import exists for the same year. */
export const importsPresent: Check = ({ spec, imports }) =>
  (spec.imports ?? []).flatMap((code, position) => {
    const found = imports.some(
      ({ pricingCode, financialYear }) => pricingCode === code && financialYear === spec.financialYear,
    )
    if (found) return []
    return [
      {
        check: IMPORTS_PRESENT,
        path: `imports[${position}]`,
        message: `there is no well-formed rate set of ${code} for ${spec.financialYear}`,
      },
    ]
  })
