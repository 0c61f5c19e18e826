import { expect, test } from 'vitest'
import type { DescribedRule } from '../../../rates/offered/describe-rule.ts'
import { contractServer, SHOWROOMS } from './contract-server.ts'
import { anywhere, customerWith, suv, vehicle } from './requests.ts'

// "16 of 84 rules have no official source; mode is always statutory, even for upper bounds of insurers; evidence is absent;
// conditional rules that are active are hidden."
const { get, quote } = contractServer()
const JURISDICTIONS = ['AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD', 'AU_SA', 'AU_TAS', 'AU_VIC', 'AU_WA']
const DAYS = ['2024-08-10', '2025-08-10', '2026-08-10']

const rulesOn = async (pricingCode: string, date = '2026-08-10') =>
  (
    await get<{ rules: DescribedRule[] }>(
      `/v1/rules?pricingCode=${pricingCode}&showroomCode=${SHOWROOMS[0]}&date=${date}`,
    )
  ).body.rules

test.each(DAYS)('every rule in force on %s has at least one official page', async (date) => {
  for (const pricingCode of JURISDICTIONS) {
    for (const { id, verification } of await rulesOn(pricingCode, date)) {
      const pages = verification.officialSources.filter(({ official, url }) => official && /^https?:/.test(url))
      expect([id, pages.length > 0]).toEqual([id, true])
    }
  }
})

// CTP in New South Wales and the Australian Capital Territory is sold by competing insurers; the premium of Victoria is set.
test('the mode of a rule tells figures of the law from upper bounds of insurers', async () => {
  const modeOf = async (pricingCode: string, component: string) =>
    (await rulesOn(pricingCode)).find((rule) => rule.component === component)?.verification.mode
  expect(await modeOf('AU_NSW', 'CTP')).toBe('market')
  expect(await modeOf('AU_ACT', 'CTP')).toBe('market')
  expect(await modeOf('AU_VIC', 'CTP')).toBe('statutory')
  expect(await modeOf('AU_NSW', 'STAMP_DUTY')).toBe('statutory')
})

test('the grades of a rule are those of the lines that it gives', async () => {
  for (const pricingCode of JURISDICTIONS) {
    const rules = await rulesOn(pricingCode)
    const answer = await quote(suv({ pricingCode, registration: anywhere('2026-08-10'), ...vehicle({ tareKg: 1600 }) }))
    for (const { ruleId, evidence } of answer.categories.onRoad) {
      const grades = rules.filter(({ id }) => id === ruleId).flatMap(({ verification }) => verification.grades)
      expect({ ruleId, evidence, grades: grades.includes(evidence) }).toMatchObject({
        grades: true,
      })
    }
  }
})

test('a conditional rule in force is listed with its condition in words', async () => {
  const inspection = (await rulesOn('AU_SA')).find(({ component }) => component === 'INSPECTION_FEE')
  expect(inspection?.condition).toBe('registrationType new; condition used')
  const additional = (await rulesOn('AU_NSW')).find(({ component }) => component === 'ADDITIONAL_VEHICLE_TAX')
  expect(additional?.condition).toBe(
    'businessUse (usageType business or primary_producer or taxi); registrationType new; tareKg at least 3565',
  )
  const lines = (await rulesOn('AU_VIC')).filter(({ component }) => component === 'DUTIABLE_LINE')
  expect(lines.length).toBeGreaterThan(1)
  expect(new Set(lines.map(({ condition }) => condition)).size).toBe(lines.length)
})

test('every rule of a quote is listed for its day, also those of used vehicles and concessions', async () => {
  const { body } = await get<{ concessions: { type: string }[] }>('/v1/concessions?pricingCode=AU_TAS&date=2026-08-10')
  const registration = anywhere('2026-08-10')
  const quotes = [
    suv({ registration, ...vehicle({ condition: 'used' }) }),
    ...body.concessions.map(({ type }) =>
      suv({ pricingCode: 'AU_TAS', registration, ...customerWith({ hasConcession: true, type }) }),
    ),
  ]
  for (const request of quotes) {
    const { categories } = await quote(request)
    const ids = (await rulesOn(request['pricingCode'] as string)).map(({ id }) => id)
    for (const { ruleId } of Object.values(categories).flat()) expect(ids).toContain(ruleId)
  }
})

// "/v1/rules does not tell unpriced from inside another line", and a rule with no grade of any figure passed.
test('a rule without grades states why: its component is unpriced, or is inside another line', async () => {
  const all = (await Promise.all(JURISDICTIONS.flatMap((code) => DAYS.map((day) => rulesOn(code, day))))).flat()
  const wrong = all.filter(({ verification: { grades, states } }) => grades.length > 0 !== (states === 'figures'))
  expect(wrong).toEqual([])
  const stated = (id: string) => all.find((rule) => rule.id === id)?.verification.states
  expect(stated('AU_NSW_PLATES_FY26')).toBe('figures')
  // South Australia: no premium of 2024-25 is known; that of 2025-26 is in the total of the guide.
  expect([stated('AU_SA_CTP_FY25'), stated('AU_SA_CTP_FY26')]).toEqual(['unpriced', 'nothing'])
})
