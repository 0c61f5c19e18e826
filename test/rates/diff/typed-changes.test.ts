import { expect, test } from 'vitest'
import { typedChanges, type TypedChange } from '#rates/diff/typed-changes.ts'
import type { Charge } from '#rates/engine/grammar/charge.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { Case } from '#rates/engine/grammar/rule.ts'
import { sets } from '../properties/sets.ts'

/** What is said where the last rule for registration in Victoria charged one thing in one year, and charges another in the next. */
function changeBetween(old: Charge, now: Charge): TypedChange | undefined {
  const victorian = (financialYear: string, charge: Charge): RateSetSpec => {
    const copy = structuredClone(
      sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === financialYear)!,
    )
    copy.rules.findLast(({ component }) => component === 'REGISTRATION')!.cases.at(-1)!.charge = charge
    return copy
  }
  const federal = sets.filter(({ pricingCode }) => pricingCode === 'AU')
  const years = [victorian('2025-2026', old), victorian('2026-2027', now)]
  return [...typedChanges([...federal, ...years])]
    .flat()
    .filter(({ effectiveDate }) => effectiveDate === '2026-07-01')
    .find(({ description }) => ['otherwise: rate', 'otherwise: any amount'].includes(description))
}

const units = (rate: string, part: 'up' | 'down'): Charge => ({ units: { of: 'tareKg', per: '100', part, rate } })

test('a rate on units says how a part of a unit counts', () => {
  const per = { amount: '100', of: 'tareKg', part: 'up' }
  expect(changeBetween(units('5', 'up'), units('6', 'up'))).toMatchObject({ unit: 'cents', from: 500, to: 600, per })
})

test('where only the part of a unit counts otherwise, that is said in words', () => {
  expect(changeBetween(units('5', 'up'), units('5', 'down'))).toMatchObject({
    unit: 'words',
    from: '$5 for each 100 of tareKg, part up',
    to: '$5 for each 100 of tareKg, part down',
  })
})

test('where one percentage is of the whole before and of the excess from then on, that is said in words', () => {
  const [whole, excess] = [{ bands: [{ whole: { percent: '3' } }] }, { bands: [{ excess: { percent: '3' } }] }]
  expect(changeBetween(whole, excess)).toMatchObject({ unit: 'words', from: '3 %', to: '3 % of the excess' })
})

test('a row that ends elsewhere and charges the same is told by where it ends, as a number', () => {
  const table = (upTo: string): Charge => ({
    table: { fact: 'tareKg', rows: [{ upTo, amounts: ['10'] }, { amounts: ['20'] }] },
  })
  const years = ['2025-2026', '2026-2027'].map((financialYear, at) => {
    const copy = structuredClone(
      sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === financialYear)!,
    )
    copy.rules.find(({ component }) => component === 'PLATES')!.cases = [{ charge: table(at === 0 ? '1000' : '1200') }]
    return copy
  })
  const plates = [...typedChanges(years)].flat().filter(({ name }) => name === 'PLATES')
  expect(plates).toMatchObject([{ unit: 'number', from: '1000', to: '1200' }])
})

const sedan = { when: { bodyType: ['sedan'] }, charge: { flat: '20' } } satisfies Case
const electric = { when: { fuelType: ['BEV'] }, charge: { flat: '30' } } satisfies Case

test.each<[string, Case[], string[]]>([
  ['one new case can stand only before the rest', [sedan], []],
  ['of two new cases the first that holds counts', [sedan, electric], ['bodyType sedan | fuelType BEV | otherwise']],
  ['the other way round, another one', [electric, sedan], ['fuelType BEV | bodyType sedan | otherwise']],
])('where new cases stand is said: %s', (_, added, orders) => {
  const [old, now] = ['2025-2026', '2026-2027'].map((financialYear, at) => {
    const copy = structuredClone(
      sets.find((one) => one.pricingCode === 'AU_VIC' && one.financialYear === financialYear)!,
    )
    copy.rules.find(({ component }) => component === 'PLATES')!.cases = [
      ...(at === 0 ? [] : added),
      { charge: { flat: '10' } },
    ]
    return copy
  })
  const said = [...typedChanges([old!, now!])].flat().filter(({ name }) => name === 'PLATES')
  expect(said.filter(({ description }) => description === 'cases').map(({ to }) => to)).toEqual(orders)
})

const ofYears = (...codes: string[]) =>
  sets.filter(
    ({ pricingCode, financialYear }) =>
      codes.includes(pricingCode) && ['2025-2026', '2026-2027'].includes(financialYear),
  )

// Victoria's insurance duty: 10 % of the TAC charge, which is $534 and $551 in the metropolitan zone.
test('a component that is computed from the line of another one follows it, with its cents', () => {
  const charge = [...typedChanges(ofYears('AU', 'AU_VIC'))]
    .flat()
    .find(({ name, to }) => name === 'CTP' && to === 55_100)
  expect(charge?.followedBy).toEqual([
    {
      ...{ pricingCode: 'AU_VIC', component: 'INSURANCE_DUTY', percent: '10' },
      charged: { from: 5340, to: 5510, months: 12 },
    },
  ])
})

test('stamp duty of the states that compute it from luxury car tax follows the tax', () => {
  const all = [...typedChanges(ofYears('AU', 'AU_VIC', 'AU_WA'))].flat()
  const tax = all.filter(({ name, effectiveDate }) => name === 'LUXURY_CAR_TAX' && effectiveDate === '2026-07-01')
  expect(tax.length).toBeGreaterThan(0)
  for (const { followedBy } of tax)
    expect(followedBy).toEqual([
      { pricingCode: 'AU_VIC', component: 'STAMP_DUTY' },
      { pricingCode: 'AU_WA', component: 'STAMP_DUTY' },
    ])
})

test('a new reason for the same outcome moves no line, and nothing follows it', () => {
  const reasons = ['One reason.', 'Another one.'].map((reason, at) => {
    const copy = structuredClone(ofYears('AU_VIC')[at]!)
    copy.rules.find(({ component }) => component === 'CTP')!.cases = [{ exempt: { reason, line: 'omit' } }]
    return copy
  })
  const found = [...typedChanges(reasons)].flat().filter(({ name }) => name === 'CTP')
  expect(found.length).toBeGreaterThan(0)
  expect(found.flatMap(({ followedBy }) => followedBy ?? [])).toEqual([])
})
