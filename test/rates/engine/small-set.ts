import type { Charge } from '../../../rates/engine/grammar/charge.ts'
import type { RateSetSpec } from '../../../rates/engine/grammar/rate-set.ts'
import type { Rule } from '../../../rates/engine/grammar/rule.ts'
import { quote } from '../../../rates/engine/quote/quote.ts'
import type { QuoteRequest } from '../../../rates/engine/request.ts'
import type { LoadedSet } from '../../../rates/engine/compile/compile.ts'
import { buildSnapshot, type Snapshot } from '../../../rates/engine/snapshot.ts'

/** A rule with what every rule must have. */
export function rule(part: Partial<Rule> & Pick<Rule, 'cases'>): Rule {
  return {
    component: 'DUTY',
    name: 'Duty',
    description: 'A charge of these tests.',
    category: 'onRoad',
    gst: 'none',
    verification: {
      mode: 'statutory',
      componentType: 'duty',
      evidence: 'official',
      verifiedOn: '2026-01-01',
      reviewBy: '2027-01-01',
      sources: ['act'],
    },
    ...part,
  }
}

/** A set with what every set must have; its bases are `PRICE`, the dutiable lines, and those given. */
export function set(part: Partial<RateSetSpec> & Pick<RateSetSpec, 'rules'>): RateSetSpec {
  return {
    pricingCode: 'AU_XX',
    financialYear: '2026-2027',
    timeZone: 'Australia/Sydney',
    offers: { terms: [3, 6, 12], registrationTypes: [{ type: 'new' }, { type: 'transfer' }] },
    sources: [
      {
        name: 'act',
        label: 'Act',
        url: 'https://example.com/',
        authority: 'Parliament',
        kind: 'legislation',
        official: true,
      },
    ],
    ...part,
    bases: [{ name: 'PRICE', cases: [{ sum: ['dutiable'] }] }, ...(part.bases ?? [])],
  }
}

/** A set of one rule with one charge on the price. */
export const charging = (charge: Charge, part: Partial<RateSetSpec> = {}): RateSetSpec =>
  set({ ...part, rules: [rule({ basis: 'PRICE', cases: [{ charge }] })] })

export const loaded = (spec: RateSetSpec): LoadedSet => {
  const name = `${spec.pricingCode.toLowerCase().replaceAll('_', '-')}-fy${spec.financialYear.slice(7)}`
  return { name, digest: name, spec, imports: {} }
}

export const snapshotOf = (...specs: RateSetSpec[]): Snapshot =>
  buildSnapshot({ release: 'sha256:test', sets: specs.map(loaded) })

type Deep<T> = { [K in keyof T]?: T[K] extends object | undefined ? Partial<T[K]> : T[K] }

/** A request on 1 December 2026 for a new vehicle of `dollars`. */
export function request(dollars: number, part: Deep<QuoteRequest> = {}): QuoteRequest {
  return {
    pricingCode: 'AU_XX',
    showroomCode: 'TEST01',
    purchaseDate: '2026-11-21',
    ...part,
    vehicleGeneric: { condition: 'new', ...part.vehicleGeneric },
    pricingInputs: {
      dutiable: [{ description: 'Vehicle', value: Math.round(dollars * 100), kind: 'vehicle' }],
      ...part.pricingInputs,
    },
    registration: { startDate: '2026-12-01', ...part.registration },
  } as QuoteRequest
}

/** The on-road lines in cents by component, and what was said. */
export function priced(spec: RateSetSpec | RateSetSpec[], asked: QuoteRequest) {
  const answer = quote(asked, snapshotOf(...[spec].flat()))
  return {
    lines: Object.fromEntries(answer.categories.onRoad.map(({ component, value }) => [component, value])),
    warnings: answer.metadata.warnings.filter((text) => !text.startsWith('vehicleGeneric used')),
    assumptions: answer.metadata.assumptions.filter(({ path }) => path !== '/vehicleGeneric'),
    answer,
  }
}

/** Cents of the one line, or undefined where there is none. */
export const duty = (spec: RateSetSpec, asked: QuoteRequest): number | undefined => priced(spec, asked).lines.DUTY
