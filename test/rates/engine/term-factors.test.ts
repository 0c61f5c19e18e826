import { expect, test } from 'vitest'
import { duty, priced, request, rule, set } from './small-set.ts'

const flat = (dollars: string) => ({ charge: { flat: dollars } })

test('a term adds its fee after the factor and then rounds', () => {
  const terms = [
    { months: 12, factor: '1' },
    { months: 6, factor: '1/2', plus: '2.45' },
    { months: 3, factor: '1/4', plus: '2.45', round: { to: '1' } },
  ]
  const spec = set({ rules: [rule({ terms, cases: [flat('352.70')] })] })
  expect(duty(spec, request(1, { registration: { termMonths: 6 } }))).toBe(17_880)
  expect(duty(spec, request(1, { registration: { termMonths: 3 } }))).toBe(9_100)
})

test('a term that is graded lends its grade and its warning to a charge, and to nothing else', () => {
  const warning = 'Half a year is an estimate.'
  const terms = [
    { months: 12, factor: '1' },
    { months: 6, factor: '1/2', evidence: 'estimate' as const, warning },
  ]
  const cases = [
    { when: { fuelType: ['BEV' as const] }, exempt: { reason: 'Electric.', line: 'zero' as const } },
    { when: { fuelType: ['HEV' as const] }, charge: { flat: '10' }, evidence: 'estimate' as const },
    flat('10'),
  ]
  const spec = set({ rules: [rule({ terms, cases })] })
  const asked = (termMonths: number, fuelType: string) =>
    priced(spec, request(1, { registration: { termMonths }, vehicleGeneric: { fuelType } }))
  const gradeOf = ({ answer }: ReturnType<typeof priced>) => answer.categories.onRoad[0]?.evidence
  expect(asked(12, 'ICE')).toMatchObject({ lines: { DUTY: 1_000 }, warnings: [] })
  expect(asked(6, 'ICE')).toMatchObject({ lines: { DUTY: 500 }, warnings: [warning] })
  expect([12, 6].map((months) => gradeOf(asked(months, 'ICE')))).toEqual(['official', 'estimate'])
  expect(asked(6, 'BEV')).toMatchObject({ lines: { DUTY: 0 }, warnings: [] })
  expect(asked(6, 'HEV').warnings).toEqual([warning, 'Duty is an estimate.'])
})

test('a term by days costs its days over those of twelve months from its first day', () => {
  const terms = [
    { months: 12, factor: 'days' },
    { months: 6, factor: 'days' },
  ]
  const spec = set({ rules: [rule({ terms, cases: [flat('164')] })] })
  const on = (startDate: string, termMonths: number) =>
    duty(spec, request(1, { registration: { startDate, termMonths } }))
  expect(on('2026-07-01', 12)).toBe(16_400)
  // 1 July to 31 December: 184 of 365 days. 164 x 184 / 365 = 82.673.
  expect(on('2026-07-01', 6)).toBe(8_267)
  // 1 January to 30 June: 181 days. 164 x 181 / 365 = 81.326.
  expect(on('2027-01-01', 6)).toBe(8_133)
  // 31 August to 27 February, since February has no 31st day: 181 days.
  expect(on('2026-08-31', 6)).toBe(8_133)
  // Twelve months from 1 March 2027 have a leap day: 184 of 366 days. 164 x 184 / 366 = 82.448.
  expect(on('2027-03-01', 6)).toBe(8_245)
})
