import { expect, test } from 'vitest'
import type { Rule } from '../../../rates/engine/grammar/rule.ts'
import { priced, request, rule, set } from './small-set.ts'

const classes = [
  { name: 'green', anyOf: [{ fuelType: ['BEV' as const] }, { co2GPerKm: { max: '120' } }] },
  { name: 'small', anyOf: [{ rotors: { min: '1' } }, { cylinders: { max: '4' } }] },
]
const flat = (dollars: string) => ({ charge: { flat: dollars } })
const one = (part: Partial<Rule> & Pick<Rule, 'cases'>, more: Parameters<typeof set>[0] = { rules: [] }) =>
  set({ ...more, classes, rules: [rule({ basis: 'PRICE', ...part })] })

const green = one({
  missing: [{ class: 'green', assume: 'false', warning: 'CO2 not sent: taken as not green.' }],
  cases: [{ when: { basis: { upTo: '1000' } }, ...flat('1') }, { when: { class: ['green'] }, ...flat('2') }, flat('3')],
})

test('an entry is used, and said once, where the outcome depends on the fact', () => {
  const { lines, warnings, assumptions } = priced(green, request(2_000, { vehicleGeneric: { fuelType: 'ICE' } }))
  expect(lines).toEqual({ DUTY: 300 })
  expect(warnings).toEqual(['CO2 not sent: taken as not green.'])
  expect(assumptions).toEqual([
    {
      kind: 'assumed',
      path: '/vehicleGeneric/co2GPerKm',
      component: 'DUTY',
      // Any value above 120 would do.
      assumed: 150,
      reason: 'CO2 not sent: taken as not green.',
    },
  ])
})

test('nothing is said where an earlier case decides, or the fact that was sent does', () => {
  expect(priced(green, request(1_000)).warnings).toEqual([])
  expect(priced(green, request(2_000, { vehicleGeneric: { fuelType: 'BEV' } }))).toMatchObject({
    lines: { DUTY: 200 },
    warnings: [],
  })
})

test('nothing is said where all cases that are left come to the same', () => {
  const spec = one({
    missing: [{ class: 'green', assume: 'false', warning: 'Taken as not green.' }],
    cases: [{ when: { class: ['green'] }, charge: { whole: { percent: '2' } } }, { charge: { flat: '40' } }],
  })
  expect(priced(spec, request(2_000))).toMatchObject({ lines: { DUTY: 4_000 }, warnings: [], assumptions: [] })
  expect(priced(spec, request(2_001))).toMatchObject({ lines: { DUTY: 4_000 }, warnings: ['Taken as not green.'] })
})

test('an assumption that turned out not to matter is not said', () => {
  const spec = one({
    missing: [
      { fact: 'cylinders', assume: '5', warning: 'Cylinders not sent.' },
      { fact: 'seats', assume: '5', warning: 'Seats not sent.' },
    ],
    cases: [
      { when: { cylinders: { min: '6' }, seats: { min: '9' } }, ...flat('1') },
      { when: { seats: { max: '2' } }, ...flat('2') },
      flat('3'),
    ],
  })
  expect(priced(spec, request(1)).warnings).toEqual(['Seats not sent.'])
})

test('an entry that asks for its own fact is passed over', () => {
  const spec = one({
    missing: [{ fact: 'seats', when: { seats: { max: '4' } }, assume: '2' }],
    cases: [{ when: { seats: { max: '2' } }, ...flat('1') }, flat('2')],
  })
  expect(priced(spec, request(1)).warnings).toEqual(['Duty is not priced: seats not sent.'])
})

test("the rule's own entries come before the set's, and an entry may depend on another", () => {
  const missing = [
    { fact: 'cylinders' as const, assume: '8', warning: 'By the set.' },
    { fact: 'rotors' as const, assume: '0' },
  ]
  const spec = one(
    {
      missing: [
        { fact: 'cylinders', when: { rotors: { max: '0' } }, assume: '4', warning: 'Cylinders not sent: taken as 4.' },
      ],
      cases: [{ when: { class: ['small'] }, ...flat('1') }, flat('2')],
    },
    { missing, rules: [] },
  )
  expect(priced(spec, request(1))).toMatchObject({
    lines: { DUTY: 100 },
    warnings: ['Cylinders not sent: taken as 4.'],
  })
  expect(priced(spec, request(1, { vehicleGeneric: { rotors: 2 } })).warnings).toEqual([])
})

test('an assumption of one rule is not seen by the next', () => {
  const cases = [{ when: { cylinders: { max: '4' } }, ...flat('1') }, flat('2')]
  const spec = set({
    rules: [
      rule({ component: 'A', missing: [{ fact: 'cylinders', assume: '4' }], cases }),
      rule({ component: 'B', missing: [{ fact: 'cylinders', assume: '6' }], cases }),
    ],
  })
  expect(priced(spec, request(1)).lines).toEqual({ A: 100, B: 200 })
})

test('a basis that rests on an assumption is computed anew for the next rule', () => {
  const bases = [{ name: 'B', cases: [{ when: { previouslyRegistered: true }, sum: ['10'] }, { sum: ['20'] }] }]
  const cases = [{ charge: { whole: { percent: '100' } } }]
  const spec = set({
    bases,
    rules: [
      rule({ component: 'A', basis: 'B', missing: [{ fact: 'previouslyRegistered', assume: 'true' }], cases }),
      rule({ component: 'B', basis: 'B', missing: [{ fact: 'previouslyRegistered', assume: 'false' }], cases }),
    ],
  })
  expect(priced(spec, request(1)).lines).toEqual({ A: 1_000, B: 2_000 })
})

test('present asks for what was sent, not for what was assumed', () => {
  const spec = one({
    missing: [{ fact: 'seats', assume: '5' }],
    cases: [{ when: { seats: { max: '2' } }, ...flat('1') }, { when: { present: ['seats'] }, ...flat('2') }, flat('3')],
  })
  expect(priced(spec, request(1)).lines).toEqual({ DUTY: 300 })
  expect(priced(spec, request(1, { vehicleGeneric: { seats: 5 } })).lines).toEqual({ DUTY: 200 })
})

test('an unpriced entry leaves no line, says its text, and names the field', () => {
  const spec = one({
    missing: [{ fact: 'tareKg', unpriced: 'tareKg not sent: licence fee not priced.' }],
    cases: [{ charge: { units: { of: 'tareKg', per: '100', part: 'up', rate: '1' } } }],
  })
  const { lines, warnings, assumptions } = priced(spec, request(1))
  expect(lines).toEqual({})
  expect(warnings).toEqual(['tareKg not sent: licence fee not priced.'])
  expect(assumptions).toMatchObject([{ path: '/vehicleGeneric/tareKg', assumed: null }])
})

test('a rejecting entry is INVALID_VEHICLE_INPUT and names the field', () => {
  const spec = one({
    missing: [{ fact: 'manufactureDate', reject: true }],
    cases: [{ when: { age: { from: 'manufactureDate', moreThanYears: 2 } }, ...flat('1') }, flat('2')],
  })
  expect(() => priced(spec, request(1))).toThrow(
    expect.objectContaining({ code: 'INVALID_VEHICLE_INPUT', path: '/vehicleGeneric/manufactureDate' }),
  )
})

test('exactly two years old is not over two years', () => {
  const spec = one({
    missing: [{ fact: 'manufactureDate', reject: true }],
    cases: [{ when: { age: { from: 'manufactureDate', moreThanYears: 2 } }, ...flat('1') }, flat('2')],
  })
  const made = (manufactureDate: string) => priced(spec, request(1, { vehicleGeneric: { manufactureDate } })).lines.DUTY
  expect(made('2024-12-01')).toBe(200)
  expect(made('2024-11-30')).toBe(100)
})

test('a fact that nothing provides for leaves the line without a price and never throws', () => {
  const spec = one({ cases: [{ when: { seats: { min: '4' } }, ...flat('1') }, flat('2')] })
  expect(priced(spec, request(1))).toMatchObject({ lines: {}, warnings: ['Duty is not priced: seats not sent.'] })
})

test('a zone of no known postcode is assumed with the seed’s warning', () => {
  const spec = set({
    zones: [
      {
        name: 'TAC',
        values: [
          { zone: 'METRO', postcodes: ['3000-3006'] },
          { zone: 'RURAL', postcodes: ['3007-3999'] },
        ],
      },
    ],
    rules: [
      rule({
        missing: [{ zone: 'TAC', assume: 'METRO', warning: 'Postcode not sent: METRO assumed.' }],
        cases: [{ when: { zone: { name: 'TAC', in: ['METRO'] } }, ...flat('5') }, flat('4')],
      }),
    ],
  })
  expect(priced(spec, request(1, { registration: { postcode: '3007' } }))).toMatchObject({
    lines: { DUTY: 400 },
    warnings: [],
  })
  const said = [
    [undefined, ''],
    ['2000', ' The postcode sent, 2000, is not used.'],
    ['abcd', ''],
  ] as const
  for (const [postcode, more] of said) {
    const { lines, warnings, assumptions } = priced(spec, request(1, { registration: { postcode } }))
    expect(lines).toEqual({ DUTY: 500 })
    expect(warnings).toEqual([`Postcode not sent: METRO assumed.${more}`])
    expect(assumptions).toMatchObject([{ path: '/registration/postcode', assumed: '3000' }])
  }
})
