import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

/** The amount of the federal set that a state may charge, so that a federal change can break a state's example. */
export const FEDERAL_FEE = 'AU/INVENTED_FEE'

/**
 * A rate set that every check of the rates accepts, with invented amounts: no law has them. `fee` is what the one
 * rule charges and what its example expects; `example` breaks that on purpose.
 */
export function inventedSet(
  code: string,
  options: { fee?: string; example?: string; year?: string } = {},
): RateSetSpec {
  const { fee = '10.00', example = fee, year = '2026-2027' } = options
  const verification = {
    mode: 'statutory' as const,
    componentType: 'plates',
    evidence: 'official' as const,
    verifiedOn: '2026-11-21',
  }
  return {
    pricingCode: code,
    financialYear: year,
    timeZone: 'Australia/Melbourne',
    ...(code === 'AU' ? { quotable: false } : { imports: ['AU'] }),
    ...(code !== 'AU' && { offers: { terms: [12], registrationTypes: [{ type: 'new' as const }] } }),
    sources: [
      {
        name: 'invented',
        label: 'Invented',
        url: 'https://example.com/',
        authority: 'Nobody',
        kind: 'html',
        official: true,
      },
    ],
    ...(code === 'AU' && {
      parameters: [
        { name: 'INVENTED_FEE', unit: 'AUD', values: [{ value: fee, evidence: 'official', sources: ['invented'] }] },
      ],
    }),
    rules: [
      {
        component: code === 'AU' ? 'LUXURY_CAR_TAX' : 'PLATES',
        name: 'Invented fee',
        description: 'An invented amount for tests.',
        category: 'onRoad',
        gst: 'none',
        cases: [{ charge: { flat: code === 'AU' ? 'INVENTED_FEE' : fee } }],
        ...(code !== 'AU' && { terms: [{ months: 12, factor: '1' }] }),
        verification: { ...verification, reviewBy: '2027-06-01', sources: ['invented'] },
      },
    ],
    examples: [
      {
        name: 'the invented fee',
        source: { kind: 'formula', name: 'invented' },
        given: { dutiable: '40000' },
        expect: { [code === 'AU' ? 'LUXURY_CAR_TAX' : 'PLATES']: example },
      },
    ],
  }
}
