import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'

/** Random numbers from 0 to below 1, the same ones for the same seed. */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Json = Record<string | number, unknown>

interface Place {
  parent: Json
  key: string | number
}

const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)]!

const TEXTS = [
  ...['0', '-1', '0.000001', '999999999', '999999999.999999', '1/999999', '999999/1', '0.00', '100', '999'],
  ...['AU/NOPE', 'AU/LCT_THRESHOLD', '999999999 AU/LCT_THRESHOLD', '-2 AU/LCT_THRESHOLD', '20.42 FEE_UNIT'],
  ...[
    '2026-02-30',
    '2199-12-31',
    '1800-01-01',
    '2026-12-31',
    'line:STAMP_DUTY',
    'alone:STAMP_DUTY',
    'basis:PAID',
    'basis:X',
    'kind:vehicle',
  ],
  ...[
    '-',
    '1/11',
    '11/1',
    '9999/1',
    'none',
    'unpriced',
    'true',
    'constructor',
    '__proto__',
    'Half/zone',
    '0000-9999',
    '9999-0000',
  ],
]
const NUMBERS = [0, 1, -1, 12, 60, 1000, 1e6, 2 ** 53]

function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push({ parent: value as Json, key: Array.isArray(value) ? Number(key) : key })
    placesOf((value as Json)[key], found)
  }
  return found
}

/** One small change anywhere: something left out, another text or number, a part from elsewhere, an entry twice. */
function changeContent(spec: RateSetSpec, random: Random): void {
  const places = placesOf(spec)
  const { parent, key } = pick(places, random)
  const value = parent[key]
  const kind = Math.floor(random() * 4)
  if (kind === 0 && Array.isArray(parent)) parent.splice(Number(key), 1)
  else if (kind === 0) delete parent[key]
  else if (typeof value === 'number') parent[key] = pick(NUMBERS, random)
  else if (kind === 1 && typeof value === 'string') parent[key] = pick(TEXTS, random)
  else if (kind === 2) {
    const other = pick(
      places.filter((each) => each.key === key),
      random,
    )
    parent[key] = structuredClone(other.parent[other.key])
  } else if (Array.isArray(value) && value.length > 0) value.push(structuredClone(pick(value as unknown[], random)))
}

const fill = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

type Grow = (spec: RateSetSpec, random: Random) => void

const anyCharge = (spec: RateSetSpec) => spec.rules.flatMap(({ cases }) => cases).find(({ charge }) => charge)?.charge

/** Changes of size: as many of something as the schema allows, in shapes that are dear to follow. */
const GROWTHS: Record<string, Grow> = {
  classes: (spec, random) => {
    const width = 1 + Math.floor(random() * 8)
    const made = fill(60 - (spec.classes?.length ?? 0), (at) => ({
      name: `grown${at}`,
      anyOf: fill(width, (test) =>
        at === 0 ? { seats: { min: String(test) } } : { class: [`grown${at - 1}`], seats: { max: String(test) } },
      ),
    }))
    spec.classes = [...(spec.classes ?? []), ...made]
    pick(spec.rules, random).when = { not: [made.at(-1)?.name ?? 'grown0'] }
  },
  bases: (spec, random) => {
    const width = 1 + Math.floor(random() * 3)
    const grown = fill(20 - (spec.bases?.length ?? 0), (at) => ({
      name: `GROWN_${at}`,
      cases: [{ sum: at === 0 ? ['dutiable'] : fill(width, () => `basis:GROWN_${at - 1}`) }],
    }))
    spec.bases = [...(spec.bases ?? []), ...grown]
    pick(spec.rules, random).basis = grown.at(-1)?.name ?? 'GROWN_0'
  },
  zones: (spec) => {
    const postcodes = fill(200, (at) => (at % 2 ? '0000-9999' : String(1000 + at)))
    const values = fill(20, (at) => ({ zone: `Z${at}`, postcodes }))
    spec.zones = [...(spec.zones ?? []), ...fill(10, (at) => ({ name: `GROWN_${at}`, values }))].slice(0, 10)
  },
  cases: (spec, random) => {
    const facts = ['tareKg', 'gvmKg', 'kerbMassKg', 'seats', 'co2GPerKm'] as const
    const steps = fill(39, (at) => ({
      when: Object.fromEntries(facts.map((fact) => [fact, { max: String(Math.floor(random() * 5000) + at) }])),
      charge: { flat: '1' },
    }))
    for (const rule of spec.rules) rule.cases = [...structuredClone(steps), { charge: { flat: '2' } }]
  },
  rules: (spec, random) => {
    const grown = fill(80 - spec.rules.length, (at) => ({ ...pick(spec.rules, random), component: `GROWN_${at}` }))
    spec.rules = structuredClone([...spec.rules, ...grown])
  },
  bands: (spec) => {
    for (const rule of spec.rules)
      rule.cases = fill(40, () => ({
        charge: { bands: fill(16, (at) => ({ ...(at < 15 && { upTo: `${at + 1} AU/LCT_THRESHOLD` }), flat: '1' })) },
      }))
  },
  parameters: (spec) => {
    const source = spec.sources[0]?.name ?? ''
    const day = (at: number) => `${spec.financialYear.slice(0, 4)}-${at < 9 ? '08' : '09'}-${String(at + 10)}`
    const values = fill(12, (at) => ({
      value: String(at),
      evidence: 'estimate' as const,
      sources: [source],
      ...(at > 0 && { startDate: day(at) }),
    }))
    spec.parameters = fill(40, (at) => ({ name: `GROWN_${at}`, unit: 'AUD' as const, values }))
    const charge = anyCharge(spec)
    if (charge) charge.greatestOf = fill(12, (at) => ({ label: 'grown', amount: `GROWN_${at}` }))
  },
  concessions: (spec, random) => {
    const { component } = pick(spec.rules, random)
    const adjustments = fill(20, () => ({
      component,
      when: { seats: { min: '3' }, class: [spec.classes?.[0]?.name ?? 'none'] },
      percentOff: '1',
    }))
    const [first] = spec.concessions ?? []
    if (first) spec.concessions = fill(40, (at) => ({ ...first, type: `GROWN_${at}`, adjustments }))
  },
  examples: (spec) => {
    const [first] = spec.examples ?? []
    if (first)
      spec.examples = fill(200, (at) => ({
        ...first,
        name: `grown ${at}`,
        given: { ...first.given, dutiable: '999999999.99' },
      }))
  },
  expect: (spec) => {
    const [first] = spec.examples ?? []
    if (first) first.expect = Object.fromEntries(fill(30, (at) => ['X'.repeat(20_000) + String(at), '1.00']))
  },
  missing: (spec, random) => {
    const entry = pick(
      [
        { class: spec.classes?.[0]?.name ?? 'none', assume: 'true' },
        { fact: 'seats' as const, assume: '5' },
      ],
      random,
    )
    for (const rule of spec.rules) rule.missing = fill(20, () => structuredClone(entry))
  },
}

/** A copy of a set with one or two changes of content or of size. */
export function mutated(spec: RateSetSpec, random: Random): RateSetSpec {
  const copy = structuredClone(spec)
  for (let change = 0; change < 1 + Math.floor(random() * 2); change++) {
    if (random() < 0.1) GROWTHS[pick(Object.keys(GROWTHS), random)]!(copy, random)
    else changeContent(copy, random)
  }
  return copy
}
