import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { changesOf } from '#rates/diff/figures.ts'
import { oldAndNew } from '#rates/diff/old-and-new.ts'
import type { Charge } from '#rates/engine/grammar/charge.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { labelOf, sets } from '../properties/sets.ts'

/* Parts of lists are recognised by what they say of themselves, wherever they stand. */

const TODAY = '2026-11-22'
const of = (pricingCode: string, year = '2026-2027'): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)!)

/** What is told of an edit of a set, without grades. */
function told(spec: RateSetSpec, edit: (copy: RateSetSpec) => void): FigureChange[] {
  const copy = structuredClone(spec)
  edit(copy)
  return changesOf([spec], [copy], TODAY).filter(({ about }) => about !== 'evidence')
}

const lines = (changes: readonly FigureChange[]): string[] =>
  changes.map((one) => `${one.component}, ${one.label}: ${oldAndNew(one).join(' → ')}`)

/** Victoria, whose plates are charged by this. */
function withPlates(charge: Charge): RateSetSpec {
  const vic = of('AU_VIC')
  vic.rules.find(({ component }) => component === 'PLATES')!.cases = [{ charge }]
  return vic
}
const changedPlates = (old: Charge, now: Charge) =>
  lines(changesOf([withPlates(old)], [withPlates(now)], TODAY).filter(({ about }) => about !== 'evidence'))

const bands = (...all: [upTo: string | undefined, flat: string][]): Charge => ({
  bands: all.map(([upTo, flat]) => ({ ...(upTo !== undefined && { upTo }), flat })),
})
const rows = (...all: [upTo: string | undefined, amount: string][]): Charge => ({
  table: {
    fact: 'tareKg',
    rows: all.map(([upTo, amount]) => ({ ...(upTo !== undefined && { upTo }), amounts: [amount] })),
  },
})

test('an inserted band is one change, of what was charged there', () => {
  const old = bands(['1000', '10'], ['2000', '20'], [undefined, '30'])
  const now = bands(['1000', '10'], ['1500', '15'], ['2000', '20'], [undefined, '30'])
  expect(changedPlates(old, now)).toEqual(['PLATES, $1,000 to $1,500: $20 → $15'])
  expect(changedPlates(now, old)).toEqual(['PLATES, $1,000 to $1,500: $15 → $20'])
})

// The years have other thresholds: LCT_THRESHOLD of AU is $80,567 in 2025-26 and $80,809 in 2026-27.
test('a band that ends elsewhere in one year begins where that year begins it', () => {
  const old = ['2025-2026', '2026-2027'].flatMap((year) => [of('AU', year), of('AU_VIC', year)])
  const now = structuredClone(old)
  const { bands: edited } = now[3]!.rules.find(({ component }) => component === 'STAMP_DUTY')!.cases[3]!.charge!
  Object.assign(edited![0]!, { upTo: '110000', whole: { rate: '11.00', per: '200' } })
  const [moved, back] = [changesOf(old, now, TODAY), changesOf(now, old, TODAY)]
  const labels = ['passenger: $100,000 to $110,000', 'passenger: $80,809 (AU/LCT_THRESHOLD) to $100,000']
  expect(moved.map(({ label }) => label).sort()).toEqual(labels)
  expect(back.map(({ label }) => label).sort()).toEqual(labels)
})

test('a rule that loses its condition applies to everything, and one that is removed to nothing', () => {
  const vic = of('AU_VIC')
  const all = structuredClone(vic)
  const plates = ({ rules }: RateSetSpec) => rules.find(({ component }) => component === 'PLATES')!
  delete plates(all).when
  const without = { ...vic, rules: vic.rules.filter((one) => one !== plates(vic)) }
  const between = (old: RateSetSpec, now: RateSetSpec) =>
    lines(changesOf([old], [now], TODAY)).filter((line) => line.includes('PLATES, applies to'))
  expect(between(vic, all)).toEqual(['PLATES, applies to: registrationType new → everything'])
  expect(between(all, vic)).toEqual(['PLATES, applies to: everything → registrationType new'])
  expect(between(vic, without)).toEqual(['PLATES, applies to: registrationType new → no longer'])
  expect(between(all, without)).toEqual([])
})

test('two insurers of one name are told apart by their order, and neither is told the other way round', () => {
  const premiums = (...amounts: string[]): Charge => ({
    greatestOf: amounts.map((amount) => ({ label: 'An insurer', amount })),
  })
  expect(changedPlates(premiums('600', '760'), premiums('650', '760'))).toEqual(['PLATES, An insurer: $600 → $650'])
  expect(changedPlates(premiums('600', '760'), premiums('600', '700'))).toEqual(['PLATES, An insurer: $760 → $700'])
  expect(changedPlates(premiums('600', '760'), premiums('600'))).toEqual(['PLATES, An insurer: $760 → no longer'])
})

test('a band that is put first, and one that is put last, leave the others as they are', () => {
  const old = bands(['1000', '10'], [undefined, '30'])
  expect(changedPlates(old, bands(['500', '5'], ['1000', '10'], [undefined, '30']))).toEqual([
    'PLATES, up to $500: $10 → $5',
  ])
  expect(changedPlates(old, bands(['1000', '10'], ['5000', '30'], [undefined, '40']))).toEqual([
    'PLATES, above $5,000: $30 → $40',
  ])
})

test('bands that end elsewhere and charge otherwise are told between all of their ends', () => {
  const old = bands(['1000', '10'], [undefined, '30'])
  const now = bands(['1200', '11'], [undefined, '31'])
  expect(changedPlates(old, now).toSorted()).toEqual([
    'PLATES, $1,000 to $1,200: $30 → $11',
    'PLATES, above $1,200: $30 → $31',
    'PLATES, up to $1,000: $10 → $11',
  ])
})

test('an inserted row is one change, of what was charged there', () => {
  const old = rows(['1000', '10'], ['2000', '20'], [undefined, '30'])
  const now = rows(['1000', '10'], ['1500', '15'], ['2000', '20'], [undefined, '30'])
  expect(changedPlates(old, now)).toEqual(['PLATES, tareKg 1000 to 1500: $20 → $15'])
  expect(changedPlates(now, old)).toEqual(['PLATES, tareKg 1000 to 1500: $15 → $20'])
})

test('a second rule for a component is told with its condition, and the first as it was', () => {
  const vic = of('AU_VIC')
  const plates = vic.rules.find(({ component }) => component === 'PLATES')!
  plates.cases = [{ charge: { flat: '44.20' } }]
  const second = {
    ...plates,
    priority: 200,
    when: { usageType: ['taxi' as const] },
    cases: [{ charge: { flat: '9' } }],
  }
  const insert = (copy: RateSetSpec) => void copy.rules.unshift(structuredClone(second))
  expect(lines(told(vic, insert))).toEqual([
    'PLATES, usageType taxi: applies to: new → usageType taxi',
    'PLATES, usageType taxi: amount: no amount before → $9',
  ])
})

test('what no rule above leaves to a rule is not told', () => {
  const vic = of('AU_VIC')
  const plates = vic.rules.find(({ component }) => component === 'PLATES')!
  plates.cases = [{ charge: { flat: '44.20' } }]
  const above = { ...plates, priority: 200, cases: [{ charge: { flat: '9' } }] }
  expect(lines(told(vic, (copy) => void copy.rules.push(structuredClone(above)))).toSorted()).toEqual([
    'PLATES, amount: $44.20 → $9',
    'PLATES, priority among the rules of its component: 100 → 200',
  ])
})

test('a component that was not charged was not priced before', () => {
  const vic = of('AU_VIC')
  const plates = vic.rules.find(({ component }) => component === 'PLATES')!
  plates.cases = [{ charge: { flat: '44.20' } }]
  const old = structuredClone(vic)
  old.rules = old.rules.filter(({ component }) => component !== 'PLATES')
  const figures = changesOf([old], [vic], TODAY).filter(({ about }) => about === 'figure')
  expect(lines(figures)).toContain('PLATES, amount: not priced before → $44.20')
})

test('a concession that is inserted before others leaves the others as they are', () => {
  const vic = of('AU_VIC')
  const { type } = vic.concessions![0]!
  const first = { component: 'PLATES', when: { usageType: ['taxi' as const] }, percentOff: '10' }
  const changes = told(vic, (copy) => void copy.concessions![0]!.adjustments.unshift(first))
  expect(lines(changes)).toEqual([`${type}, PLATES: no reduction before → 10 % off, where usageType taxi`])
})

/** What a concession lowers, and where, as its statement ends. */
const lowered = ({ when, component, basis }: { when?: object; component?: string; basis?: string }) =>
  JSON.stringify([component ?? basis, when ?? null])

test('of the years of the committed sets, no concession is said to end that goes on', () => {
  const ends = sets.flatMap((spec) => {
    const next = sets.find(
      (one) => one.pricingCode === spec.pricingCode && one.financialYear.startsWith(spec.financialYear.slice(5)),
    )
    if (!next) return []
    return changesOf([spec], [spec, next], TODAY)
      .filter((one) => one.kind === 'concession' && one.about === 'figure' && one.new === null)
      .map((one) => ({ spec, next, one }))
  })
  for (const { spec, next, one } of ends) {
    const within = ({ concessions = [] }: RateSetSpec) =>
      concessions.filter(({ type }) => type === one.component).flatMap(({ adjustments }) => adjustments.map(lowered))
    const gone = within(spec).filter((each) => !within(next).includes(each))
    expect(gone.length, `${labelOf(next)} ${one.component} ${one.label}: ${one.old}`).toBeGreaterThan(0)
  }
  const tasmanian = ends.filter(({ spec }) => spec.pricingCode === 'AU_TAS' && spec.financialYear === '2025-2026')
  expect(tasmanian.map(({ one }) => `${one.component} ${one.label}`)).toEqual([])
})

// Duties Act 2001 (Qld) s 378: which of the two amounts counts for which vehicle is what changes.
test('two amounts of a basis that change places are two changes', () => {
  const qld = of('AU_QLD')
  const changes = told(qld, (copy) => {
    const { cases } = copy.bases!.find(({ name }) => name === 'DUTIABLE_VALUE')!
    ;[cases[0]!.when, cases[1]!.when] = [cases[1]!.when, cases[0]!.when]
  })
  const [listed, worth] = [
    'sum of listPrice, kind:factory_option, kind:accessory',
    'greatest of basis:BEFORE_DISCOUNT, marketValue',
  ]
  const said = lines(changes)
  expect(said).toContain(`DUTIABLE_VALUE, neverRegistered; listPrice sent: computed as: ${listed} → ${worth}`)
  expect(said).toContain(`DUTIABLE_VALUE, neverRegistered; marketValue sent: computed as: ${worth} → ${listed}`)
})

test.each([
  ['two parts that change places', ['a', 'b'], ['b', 'a']],
  ['one part of many', ['a', 'b'], ['a', 'c']],
])('of a long text with %s, the two sides read differently', (_, first, second) => {
  const filler = Array.from({ length: 30 }, (_unused, at) => `an unchanged part ${at}`)
  const listed = ([one, two]: string[]) => [one!, ...filler, two!]
  const parts = [listed(first), listed(second)] as const
  const change = {
    about: 'terms',
    old: parts[0].join(', '),
    new: parts[1].join(', '),
    parts,
  } as Partial<FigureChange> as FigureChange
  const [was, is] = oldAndNew(change)
  expect(was).not.toEqual(is)
  expect(`${was} ${is}`).not.toContain('order')
})

test('a long text without parts that differs at its end is told by its end', () => {
  const sentence = 'The figure was not found in the sources that were read '.repeat(4)
  const [was, is] = oldAndNew({ about: 'terms', old: `${sentence}A`, new: `${sentence}B` } as FigureChange)
  expect([was.at(-1), is.at(-1)]).toEqual(['A', 'B'])
})

test('a postcode that moves in two years, whose other postcodes differ, moves once', () => {
  const years = ['2025-2026', '2026-2027'].map((year) => of('AU_VIC', year))
  years[1]!.zones![0]!.values[1]!.postcodes.shift()
  const moved = structuredClone(years)
  for (const { zones } of moved) zones![0]!.values[0]!.postcodes.push('3999')
  expect(changesOf(years, moved, TODAY)).toMatchObject([
    { label: 'postcode 3999', old: 'RURAL', new: 'METRO', from: '2025-07-01' },
  ])
})

test('a list of zones of another name is told of the cases that read it, and none of them begins or ends', () => {
  const vic = sets.find((one) => labelOf(one) === 'au-vic-fy27')!
  const renamed = JSON.parse(JSON.stringify(vic).replaceAll('"TAC"', '"RISK"')) as RateSetSpec
  const told = (old: RateSetSpec, now: RateSetSpec) =>
    changesOf([old], [now], TODAY)
      .filter(({ component, about }) => component === 'INSURANCE_DUTY' && about !== 'evidence')
      .map((one) => `${one.label}: ${one.old} → ${one.new}`)
  const [tac, risk] = ['zone UNLISTED of TAC', 'zone UNLISTED of RISK']
  expect(told(vic, renamed)).toEqual([`${risk}: applies to: ${tac} → ${risk}`])
  expect(told(renamed, vic)).toEqual([`${tac}: applies to: ${risk} → ${tac}`])
})
