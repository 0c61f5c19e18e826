import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { FEDERAL_FEE, inventedSet } from '../../operator/invented-set.ts'
import { intern } from '../server/object.ts'

export const CODES = ['AU', 'AU_VIC', 'AU_NSW'] as const
export type Code = (typeof CODES)[number]
export const CLIENTS = ['north', 'south', 'east'] as const
export const NAMESPACE = 'driveaway'
export const SECRETS_NAMESPACE = 'driveaway-clients'
export const ISSUER = 'https://driveaway.example'

export const nameOf = (code: Code): string => `${code.toLowerCase().replace('_', '-')}-fy27`

/** What is wrong with a content: nothing, by itself, or only together with another federal fee. */
export type Quality = 'good' | 'bad' | 'coupled'

const qualities = new WeakMap<object, Quality>()
/** By JSON text, what is not good: a content that is forgotten and stored again is another object. */
const qualitiesByText = new Map<string, Quality>()

function content(quality: Quality, spec: RateSetSpec): RateSetSpec {
  const made = intern(spec) as RateSetSpec
  if (quality !== 'good') qualitiesByText.set(JSON.stringify(made), quality)
  return made
}

/** The quality of a content that came from here; withdrawn ones are good. */
export function qualityOf(spec: object): Quality {
  const quality = qualities.get(spec) ?? qualitiesByText.get(JSON.stringify(spec)) ?? 'good'
  qualities.set(spec, quality)
  return quality
}

const FEES = ['1.00', '2.00', '3.00', '4.00']

/** Charges a fee of its own: whatever the federal set says, the example holds. */
export const goodSet = (code: Code, n: number) =>
  content('good', inventedSet(code, { fee: FEES[n % FEES.length] ?? '' }))

/** One of many contents: it is seldom the same as one of the last. */
export const variedSet = (code: Code, n: number) => content('good', inventedSet(code, { fee: `${n}.50` }))

/** Its example expects another amount than it charges. */
export const brokenSet = (code: Code, n: number) =>
  content('bad', inventedSet(code, { fee: FEES[n % FEES.length] ?? '', example: '99.00' }))

/** Names another pricing code than its object does. */
export const misnamedSet = (code: Code, n: number) =>
  content('bad', { ...inventedSet(code, { fee: FEES[n % FEES.length] ?? '' }), pricingCode: 'AU_QLD' })

/** Divides by nothing: an older check threw at it. */
export function dividingSet(code: Code): RateSetSpec {
  const spec = inventedSet(code)
  const [rule] = spec.rules
  const bases = [{ name: 'PAID', cases: [{ sum: ['dutiable'] }] }]
  // A nought itself is refused by the schema.
  const values = [{ value: '0', evidence: 'official', sources: ['invented'] }]
  const parameters = [...(spec.parameters ?? []), { name: 'NOTHING', unit: 'AUD', values }]
  const cases = [{ charge: { whole: { rate: '1.00', per: 'NOTHING' } } }]
  const rules = [{ ...rule, basis: 'PAID', cases }]
  return content('bad', { ...spec, parameters, bases, rules } as unknown as RateSetSpec)
}

const HARD = new Map<string, RateSetSpec>()

/** 20 classes of which each names the one before twice: a check that follows every name makes half a million tests. */
export function nestedSet(code: Code): RateSetSpec {
  const classes = Array.from({ length: 20 }, (_, n) => ({
    name: `class-${n}`,
    anyOf:
      n === 0
        ? [{ bodyType: ['suv'] }]
        : [{ class: [`class-${n - 1}`] }, { class: [`class-${n - 1}`], seats: { min: '2' } }],
  }))
  const first = { when: { not: ['class-19'] }, charge: { flat: '3.00' } }
  return hardSet(`${code} nested`, code, (rule) => ({ classes, rules: [{ ...rule, cases: [first, ...rule.cases] }] }))
}

/** 60 rules with 40 cases each, of which the second takes everything: the search for what is left to the others is long. */
export function crowdedSet(code: Code): RateSetSpec {
  const narrow = {
    bodyType: ['suv'],
    fuelType: ['ICE'],
    condition: ['new'],
    customerType: ['consumer'],
    usageType: ['consumer'],
  }
  const narrower = {
    ...narrow,
    seats: { min: '5', max: '7' },
    gvmKg: { min: '3000', max: '4000' },
    co2GPerKm: { max: '120' },
  }
  const charge = { flat: '1.00' }
  const cases = [
    { when: { ...narrower, tareKg: { max: '1' } }, charge },
    { when: { tareKg: { min: '0' } }, charge },
    ...Array.from({ length: 37 }, (_, n) => ({ when: { tareKg: { max: `${n + 2}1` } }, charge })),
    { charge },
  ]
  const ruleOf = (rule: object, n: number) => ({ ...rule, component: `CROWDED_${n}`, cases })
  return hardSet(`${code} crowded`, code, (rule) => ({
    rules: [rule, ...Array.from({ length: 60 }, (_, n) => ruleOf(rule, n))],
  }))
}

type FirstRule = RateSetSpec['rules'][number]

/** Made once: such a set is large. */
function hardSet(key: string, code: Code, change: (rule: FirstRule) => object): RateSetSpec {
  const spec = inventedSet(code)
  const made = HARD.get(key) ?? content('bad', { ...spec, ...change(spec.rules[0] as FirstRule) } as RateSetSpec)
  HARD.set(key, made)
  return made
}

/** A state that charges the federal fee, and whose example holds for one federal fee only. */
export const coupledSet = (code: Exclude<Code, 'AU'>, n: number) =>
  content('coupled', inventedSet(code, { fee: FEDERAL_FEE, example: FEES[n % FEES.length] ?? '' }))

export const withdrawn = (spec: RateSetSpec) => content('good', { ...spec, withdrawn: true })

export interface ClientSpec {
  displayName: string
  showroomCodes: string[]
  grants: string[]
  suspended: boolean
  credentials: object[]
}

/** What a client may do, `n` for the variety; `secret` is the name of its Secret. */
export function clientSpec(name: string, n: number, { secret = name, suspended = false } = {}): ClientSpec {
  return intern({
    displayName: `Client ${name} ${n % 3}`,
    showroomCodes: n % 2 === 0 ? ['SYD01'] : ['SYD01', 'MEL01'],
    grants: n % 5 === 0 ? ['pricing:quote'] : ['pricing:quote', 'inventory:write'],
    suspended,
    credentials: [
      { secretRef: { name: secret } },
      // All claim one subject now and then: it belongs to one of them only.
      ...(n % 4 === 3 ? [{ subject: { issuer: 'https://login.example', subject: 'shared' } }] : []),
    ],
  }) as ClientSpec
}
