import { expect, test } from 'vitest'
import { changesOf } from '#rates/diff/figures.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../properties/sets.ts'

const of = (pricingCode: string, year: string): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)!)
const old = [of('AU', '2025-2026'), of('AU', '2026-2027'), of('AU_VIC', '2025-2026'), of('AU_VIC', '2026-2027')]

function changed(edit: (vic: RateSetSpec, federal: RateSetSpec) => void): RateSetSpec[] {
  const copy = structuredClone(old)
  edit(copy[3]!, copy[1]!)
  return copy
}

const TODAY = '2026-11-21'

test('the same sets say the same', () => {
  expect(changesOf(old, structuredClone(old), TODAY)).toEqual([])
})

// 20.42 fee units, Road Safety Act 1986 (Vic) s 9: 20.42 x 17.27 = 352.6534, x 17.37 = 354.6954; charged to the nearest 10 cents.
test('a changed parameter is said of itself and of each component that is a multiple of it, in dollars', () => {
  const now = changed((vic) => void (vic.parameters![0]!.values[0]!.value = '17.37'))
  const changes = changesOf(old, now, TODAY)
  expect(changes.map(({ component, kind }) => `${kind} ${component}`)).toEqual([
    'rule REGISTRATION',
    'rule TRANSFER_FEE',
    'parameter FEE_UNIT',
  ])
  expect(changes[0]).toMatchObject({
    pricingCode: 'AU_VIC',
    ruleId: 'AU_VIC_REGISTRATION_FY27',
    about: 'figure',
    label: 'otherwise: amount for 12 months',
    old: '$352.70 (from $352.6534, 20.42 × FEE_UNIT at $17.27)',
    new: '$354.70 (from $354.6954, 20.42 × FEE_UNIT at $17.37)',
    from: '2026-07-01',
    correction: true,
  })
  expect(changes[2]).toMatchObject({ label: 'value', old: '$17.27', new: '$17.37' })
})

test('a figure that changes in mid-year is said from that day, and is no correction while the day is to come', () => {
  const now = changed((vic) => {
    vic.parameters![0]!.values.push({ ...vic.parameters![0]!.values[0]!, value: '17.40', startDate: '2027-01-01' })
  })
  const changes = changesOf(old, now, TODAY)
  expect(new Set(changes.map(({ from }) => from))).toEqual(new Set(['2027-01-01']))
  expect(changes.some(({ correction }) => correction)).toBe(false)
})

test('a change that goes on over a day on which something else turns is said once, from its first day', () => {
  const turning = (plate: string) =>
    changed((vic) => {
      vic.parameters![0]!.values.push({ ...vic.parameters![0]!.values[0]!, value: '17.40', startDate: '2027-01-01' })
      vic.rules.find(({ component }) => component === 'PLATES')!.cases[1]!.charge!.flat = plate
    })
  const changes = changesOf(turning('44.20'), turning('45.20'), TODAY)
  expect(changes).toMatchObject([{ component: 'PLATES', old: '$44.20', new: '$45.20', from: '2026-07-01' }])
})

/** Plates of AU_VIC at one fee from the first day of FY27 and at another from a day in it. */
const PLATES_FROM = '44.20'
function plates(...fees: [day: string | undefined, fee: string][]): RateSetSpec[] {
  return changed((vic) => {
    const sources = [vic.sources[0]!.name]
    const values = fees.map(([startDate, value]) => {
      return { value, evidence: 'official' as const, sources, ...(startDate && { startDate }) }
    })
    vic.parameters!.push({ name: 'PLATE_FEE', unit: 'AUD', values })
    const rule = vic.rules.find(({ component }) => component === 'PLATES')!
    for (const one of rule.cases) if (one.charge?.flat === PLATES_FROM) one.charge.flat = 'PLATE_FEE'
  })
}
const ofFee = (was: RateSetSpec[], is: RateSetSpec[]) =>
  changesOf(was, is, TODAY).filter(({ component }) => component === 'PLATE_FEE')
const planned = plates([undefined, '44.20'], ['2027-01-01', '45.20'])

test('a figure that is postponed is told from one that is withdrawn', () => {
  const later = plates([undefined, '44.20'], ['2027-02-01', '45.20'])
  const [old, now] = ['$45.20', '$44.20']
  expect(ofFee(planned, later)).toMatchObject([
    { old, new: now, from: '2027-01-01', until: '2027-01-31', course: 'postponed' },
  ])
  const never = ofFee(planned, plates([undefined, '44.20']))
  expect(never).toMatchObject([{ old, new: now, from: '2027-01-01', course: 'cancelled' }])
  expect(never[0]).not.toHaveProperty('until')
})

test('a figure that is postponed with another figure is postponed, and says the new figure', () => {
  const [first, ...rest] = ofFee(planned, plates([undefined, '44.20'], ['2027-02-01', '46.00']))
  expect(first).toMatchObject({ old: '$45.20', new: '$44.20', course: 'postponed', instead: '$46.00' })
  expect(periodWords(first!, (day) => day)).toBe(
    'postponed from 2027-01-01: $46.00 applies from 2027-02-01 instead of $45.20',
  )
  expect(rest).toMatchObject([{ old: '$45.20', new: '$46.00', from: '2027-02-01' }])
})

test('a figure that is brought forward says from when, and until when it had been the old one', () => {
  const sooner = plates([undefined, '44.20'], ['2026-12-01', '45.20'])
  expect(ofFee(planned, sooner)).toMatchObject([
    { old: '$44.20', new: '$45.20', from: '2026-12-01', until: '2026-12-31', course: 'broughtForward' },
  ])
})

test('a figure of one month ends on its last day, and one that lasts has no end', () => {
  const always = plates([undefined, '44.20'])
  const january = plates([undefined, '44.20'], ['2027-01-01', '40.00'], ['2027-02-01', '44.20'])
  const [month] = ofFee(always, january)
  expect(month).toMatchObject({ new: '$40.00', from: '2027-01-01', until: '2027-01-31' })
  expect(month).not.toHaveProperty('course')
  const [lasting] = ofFee(always, planned)
  expect(lasting).toMatchObject({ new: '$45.20', from: '2027-01-01' })
  expect(lasting).not.toHaveProperty('until')
})

test('a figure that is corrected for one year and not for the next ends with its year', () => {
  const correctedYear = structuredClone(old)
  correctedYear[2]!.parameters![0]!.values[0]!.value = '16.91'
  const [fee] = changesOf(old, correctedYear, TODAY).filter(({ kind }) => kind === 'parameter')
  expect(fee).toMatchObject({ from: '2025-07-01', until: '2026-06-30', correction: true })
})

test('within one snapshot a figure has the last day on which it is so', () => {
  const year = [...typedChanges(planned)].flat().filter(({ name, unit }) => name === 'PLATE_FEE' && unit === 'cents')
  expect(year.map(({ effectiveDate, lastDate }) => [effectiveDate, lastDate])).toEqual([
    ['2026-07-01', '2026-12-31'],
    ['2027-01-01', undefined],
  ])
})

test('a moved band edge is said with what is charged within the band and with both of its ends', () => {
  const now = changed((vic) => void (vic.rules[0]!.cases[3]!.charge!.bands![0]!.upTo = '110000'))
  expect(changesOf(old, now, TODAY)).toMatchObject([
    {
      component: 'STAMP_DUTY',
      old: '$80,809 (AU/LCT_THRESHOLD) to $100,000',
      new: '$80,809 (AU/LCT_THRESHOLD) to $110,000',
      label: 'passenger: $10.40 for each $200 or part',
    },
  ])
})

test('a federal threshold is said of the states that read it as well', () => {
  const now = changed((_, federal) => {
    federal.parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!.values[0]!.value = '80808'
  })
  const codes = new Set(changesOf(old, now, TODAY).map(({ pricingCode }) => pricingCode))
  expect(codes).toEqual(new Set(['AU', 'AU_VIC']))
})

test('a postcode that changes its zone, a case in another order, a condition and a concession are said', () => {
  const said = (edit: (vic: RateSetSpec) => void) =>
    changesOf(old, changed(edit), TODAY).map(({ component, label }) => `${component}: ${label}`)
  expect(said((vic) => void (vic.zones![0]!.values[1]!.postcodes[0] = '3023'))).toEqual(['zones TAC: postcode 3024'])
  expect(said((vic) => void vic.rules[0]!.cases.splice(1, 0, vic.rules[0]!.cases.splice(2, 1)[0]!))).toEqual([
    'STAMP_DUTY: cases',
  ])
  expect(
    said((vic) => void (vic.classes!.find(({ name }) => name === 'green')!.anyOf[1]!.co2GPerKm!.max = '130')),
  ).toEqual(['class green: holds for'])
  expect(said((vic) => void vic.concessions!.splice(0, 1)).every((one) => /^[A-Z_]+: /.test(one))).toBe(true)
})

test('a new year is said against the day before it, and once as published', () => {
  const changes = changesOf(old.slice(0, 3), old, TODAY)
  expect(changes[0]).toMatchObject({ component: 'set', label: 'rate set FY27', old: null, new: 'published' })
  const fee = changes.find(({ component }) => component === 'FEE_UNIT')
  expect(fee).toMatchObject({ old: '$16.81', new: '$17.27', from: '2026-07-01' })
})

test('a withdrawn set is said', () => {
  const now = changed((vic) => void (vic.withdrawn = true))
  expect(changesOf(old, now, TODAY)).toMatchObject([{ label: 'rate set FY27', old: 'published', new: null }])
})

// TAC charge sheets of 2025-26 and 2026-27: 534 and 551 in the metropolitan zone.
test('within one snapshot a turn of the year is found, and nothing beside its day', () => {
  const all = [...typedChanges(old)].flat()
  expect(all.find(({ description }) => description === 'passenger: METRO for 12 months')).toMatchObject({
    ...{ name: 'CTP', unit: 'cents', from: 53_400, to: 55_100 },
    charged: { from: 53_400, to: 55_100, months: 12 },
  })
  const days = all.filter(({ name }) => name === 'CTP').map(({ effectiveDate }) => effectiveDate)
  expect(new Set(days)).toEqual(new Set(['2026-07-01']))
})

test('everything that the published rate sets say has a label made of their own words', () => {
  const labels = [...typedChanges(sets)].flat().map(({ name, description }) => `${name}: ${description}`)
  expect(labels.length).toBeGreaterThan(100)
  expect(labels.filter((label) => label.includes('undefined'))).toEqual([])
})

test('a band names both of its ends, the first that of the case before it', () => {
  const duty = (vic: RateSetSpec) => vic.rules.find(({ component }) => component === 'STAMP_DUTY')!
  const now = changed((vic) => {
    for (const band of duty(vic).cases.flatMap(({ charge }) => charge?.bands ?? [])) band.whole!.rate = '11.00'
  })
  const labels = changesOf(old, now, TODAY).map(({ label }) => label)
  expect(labels).toEqual([
    'passenger: $80,809 (AU/LCT_THRESHOLD) to $100,000',
    'passenger: $100,000 to $150,000',
    'passenger: above $150,000',
  ])
})

test('a postcode that another zone takes moves from one to the other', () => {
  const now = changed((vic) => {
    const { values } = vic.zones![0]!
    values[0]!.postcodes = [...values[0]!.postcodes, '3999']
  })
  const [zones] = changesOf(old, now, TODAY)
  const [first, ...others] = old[3]!.zones![0]!.values
  const before = others.find(({ postcodes }) => postcodes.some((range) => holds(range, 3999)))
  expect(changesOf(old, now, TODAY)).toHaveLength(1)
  expect(zones).toMatchObject({ label: 'postcode 3999', old: before!.zone, new: first!.zone, from: '2026-07-01' })
})

const holds = (range: string, postcode: number): boolean => {
  const [first = 0, last = first] = range.split('-').map(Number)
  return first <= postcode && postcode <= last
}

// 20.42 fee units: 20.42 x 17.27 = 352.6534, charged to the nearest 10 cents, or here to the dollar, half up.
test.each<[string, object]>([
  ['a table', { table: { columns: ['passenger'], rows: [{ amounts: ['20.42 FEE_UNIT'] }] } }],
  ['a band', { bands: [{ flat: '20.42 FEE_UNIT' }] }],
  ['offers', { greatestOf: [{ label: 'An insurer', amount: '20.42 FEE_UNIT' }] }],
])('an amount of %s is said as it stands on the line, with what it comes from', (_, charge) => {
  const fees = (to: string) =>
    changed((vic) => {
      const rule = vic.rules.find(({ component }) => component === 'REGISTRATION')!
      rule.cases.at(-1)!.charge = { ...charge, round: { to } } as never
    })
  const [figure] = changesOf(fees('0.10'), fees('1'), TODAY).filter(({ label }) => !label.endsWith('rounded'))
  expect(figure).toMatchObject({
    label: expect.stringMatching(/ for 12 months$/),
    old: '$352.70 (from $352.6534, 20.42 × FEE_UNIT at $17.27)',
    new: '$353.00 (from $352.6534, 20.42 × FEE_UNIT at $17.27)',
  })
})

test('a line that follows the days of its term is said for twelve months as it is for a year', () => {
  const daily = changed((vic) => {
    const rule = vic.rules.find(({ component }) => component === 'REGISTRATION')!
    delete rule.termScale
    rule.terms = [{ months: 12, factor: 'days' }]
  })
  const label = 'otherwise: amount for 12 months'
  const now = structuredClone(daily)
  now[3]!.parameters![0]!.values[0]!.value = '17.37'
  expect(changesOf(daily, now, TODAY).find((one) => one.label === label)).toMatchObject({
    new: '$354.70 (from $354.6954, 20.42 × FEE_UNIT at $17.37)',
  })
})

test('a row of a table names both ends of its range', () => {
  const table = (upTo: string) =>
    changed((vic) => {
      const rows = [{ upTo: '1000', amounts: ['10'] }, { upTo, amounts: ['20'] }, { amounts: ['30'] }]
      vic.rules.find(({ component }) => component === 'PLATES')!.cases.at(-1)!.charge = {
        table: { fact: 'tareKg', rows },
      }
    })
  expect(changesOf(table('1500'), table('1600'), TODAY)).toMatchObject([
    { label: 'otherwise: $20', old: 'tareKg 1000 to 1500', new: 'tareKg 1000 to 1600' },
  ])
})

test('a postcode that another zone takes is data: the zones and a list of postcodes', () => {
  const later = changed(
    (vic) => void (vic.zones![0]!.values[0]!.postcodes = [...vic.zones![0]!.values[0]!.postcodes, '3999']),
  )
  const rural = [...typedChanges(later)].flat().filter(({ unit }) => unit === 'zone')
  expect(rural).toMatchObject([
    {
      ...{
        pricingCode: 'AU_VIC',
        effectiveDate: '2026-07-01',
        kind: 'definition',
        name: 'zones TAC',
        path: 'zones[0]',
      },
      ...{ description: 'moves from zone RURAL to zone METRO', from: 'RURAL', to: 'METRO', postcodes: ['3999'] },
    },
  ])
})
