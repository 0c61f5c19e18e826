import type { Fault } from '#rates/checks/fault.ts'
import { RateSetSpec, type Source } from '#rates/engine/grammar/rate-set.ts'
import type { Rule } from '#rates/engine/grammar/rule.ts'
import { STAGES } from '#rates/checks/check-rate-set.ts'
import { examplesPass } from '#rates/checks/examples-pass.ts'
import { schemaFaults } from '#rates/checks/schema.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import { splitPath, type PathSegment } from '#rates/files/path.ts'

const verification: Rule['verification'] = {
  mode: 'statutory',
  componentType: 'duty',
  evidence: 'official',
  verifiedOn: '2026-11-21',
  reviewBy: '2027-06-01',
  sources: ['act'],
}

const source: Source = {
  name: 'act',
  label: 'Duties Act',
  url: 'https://example.gov.au/act',
  authority: 'State',
  kind: 'legislation',
  official: true,
}

/** A federal set with one parameter that changes in mid-year and one component. */
export const federal = (): RateSetSpec => ({
  pricingCode: 'AU',
  financialYear: '2026-2027',
  quotable: false,
  timeZone: 'Australia/Canberra',
  sources: [source],
  parameters: [
    {
      name: 'LCT_THRESHOLD',
      unit: 'AUD',
      values: [
        { value: '80000', evidence: 'official', sources: ['act'] },
        { value: '95000', startDate: '2027-01-01', evidence: 'official', sources: ['act'] },
      ],
    },
  ],
  rules: [
    {
      component: 'LUXURY_CAR_TAX',
      name: 'Luxury car tax',
      description: 'Nothing.',
      category: 'onRoad',
      gst: 'none',
      cases: [{ charge: { flat: '0' } }],
      verification,
    },
  ],
})

/** A state set without a fault: duty in bands, a fee by zone and term, a concession, an example. */
export const state = (): RateSetSpec => ({
  pricingCode: 'AU_TAS',
  financialYear: '2026-2027',
  timeZone: 'Australia/Hobart',
  imports: ['AU'],
  offers: { terms: [6, 12], registrationTypes: [{ type: 'new' }] },
  sources: [source],
  parameters: [{ name: 'FEE_UNIT', unit: 'AUD', values: [{ value: '1.96', evidence: 'official', sources: ['act'] }] }],
  classes: [
    { name: 'passenger', anyOf: [{ bodyType: ['sedan', 'suv'] }] },
    { name: 'green', anyOf: [{ fuelType: ['BEV'] }, { co2GPerKm: { max: '120' } }] },
  ],
  derivedFacts: [{ name: 'LOAD_KG', sum: [{ fact: 'gvmKg' }, { fact: 'tareKg', times: '-1' }] }],
  zones: [
    {
      name: 'RISK',
      values: [
        { zone: 'CITY', postcodes: ['7000-7019', '7050'] },
        { zone: 'REST', postcodes: ['7000-7999'] },
      ],
    },
  ],
  bases: [
    { name: 'PAID', cases: [{ sum: ['dutiable', 'line:LUXURY_CAR_TAX'] }] },
    { name: 'VALUE', cases: [{ greatest: ['basis:PAID', 'marketValue'] }] },
  ],
  termScales: [
    {
      name: 'PRO_RATA',
      terms: [
        { months: 12, factor: '1' },
        { months: 6, factor: '1/2' },
      ],
    },
  ],
  missing: [{ fact: 'bodyType', assume: 'sedan', warning: 'Taken as a sedan.' }],
  rules: [
    {
      component: 'STAMP_DUTY',
      name: 'Duty',
      description: 'On the value.',
      category: 'onRoad',
      basis: 'VALUE',
      gst: 'none',
      missing: [{ class: 'green', assume: 'false', warning: 'Taken as not green.' }],
      cases: [
        { when: { class: ['passenger', 'green'] }, charge: { whole: { rate: '2', per: '100' } } },
        {
          charge: {
            bands: [
              { upTo: '45000', whole: { percent: '3' } },
              { upTo: 'AU/LCT_THRESHOLD', excess: { rate: '4', per: '100', plus: '1350' } },
              { upTo: '99000', excess: { percent: '5' } },
              { flat: '9000' },
            ],
          },
        },
      ],
      verification,
    },
    {
      component: 'CTP',
      name: 'Premium',
      description: 'By zone.',
      category: 'onRoad',
      gst: '1/11',
      when: { registrationType: ['new'] },
      termScale: 'PRO_RATA',
      missing: [{ zone: 'RISK', assume: 'CITY', warning: 'Taken as in the city.' }],
      cases: [
        {
          charge: {
            table: {
              zone: 'RISK',
              rows: [
                { zone: 'CITY', amounts: ['20.42 FEE_UNIT'] },
                { zone: 'REST', amounts: ['-'] },
              ],
            },
          },
        },
      ],
      verification,
    },
  ],
  concessions: [
    {
      type: 'PENSIONER',
      label: 'Pensioner',
      description: 'Half.',
      evidence: 'official',
      sources: ['act'],
      adjustments: [{ component: 'CTP', percentOff: '50' }],
    },
  ],
  examples: [
    {
      name: 'A small car',
      source: { kind: 'formula', name: 'act' },
      given: { dutiable: '20000', bodyType: 'sedan', fuelType: 'ICE' },
      expect: { STAMP_DUTY: '600.00' },
    },
  ],
})

/** What to put at which path of a set; undefined takes away what stands there. */
export type Changes = Record<string, unknown>

/** A copy of a set with some changes. */
export function changed(changes: Changes, from = state()): RateSetSpec {
  const spec: unknown = JSON.parse(JSON.stringify(from))
  for (const [path, value] of Object.entries(changes)) {
    const keys = splitPath(path)
    const holder = keys.slice(0, -1).reduce((here, key) => here[key] as Holder, spec as Holder)
    if (value === undefined) delete holder[keys.at(-1)!]
    else holder[keys.at(-1)!] = value
  }
  return spec as RateSetSpec
}

type Holder = Record<PathSegment, unknown>

/** The faults of a state set beside the federal one, those of its examples aside, each as `check path: message`. */
export function faultsOf(spec: unknown, imports = [federal()]): string[] {
  return found(spec, imports).map(({ check, path, message }) => `${check} ${path}: ${message}`)
}

function found(spec: unknown, imports: RateSetSpec[]): Fault[] {
  const shape = schemaFaults(RateSetSpec, spec)
  if (shape.length > 0) return shape
  const subject = subjectOf(spec as RateSetSpec, imports)
  for (const stage of STAGES) {
    const faults = stage.filter((check) => check !== examplesPass).flatMap((check) => check(subject))
    if (faults.length > 0) return faults
  }
  return []
}
