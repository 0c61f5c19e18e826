import { expect, test } from 'vitest'
import { duty, priced, request, rule, set } from './small-set.ts'

const flat = (dollars: string) => ({ charge: { flat: dollars } })

test('annual and term rounding are two steps', () => {
  // Revenue Units Act 2009 (NT) s 3: 117 units at 1.45 = 169.65, cut to 169; half of it to 5 cents is 84.50, not 84.85
  const spec = set({
    parameters: [{ name: 'UNIT', unit: 'AUD', values: [{ value: '1.45', evidence: 'official', sources: ['act'] }] }],
    termScales: [
      {
        name: 'SCALE',
        terms: [
          { months: 12, factor: '1' },
          { months: 6, factor: '1/2', round: { to: '0.05' } },
        ],
      },
    ],
    rules: [rule({ termScale: 'SCALE', cases: [{ charge: { flat: '117 UNIT', round: { to: '1', mode: 'down' } } }] })],
  })
  expect(duty(spec, request(1))).toBe(16_900)
  expect(duty(spec, request(1, { registration: { termMonths: 6 } }))).toBe(8_450)
})

const parameter = (value: string, evidence: 'official' | 'estimate', startDate?: string) => ({
  value,
  evidence,
  sources: ['act'],
  ...(startDate && { startDate }),
})

test('a parameter has the value of its day and lends its grade to the line', () => {
  const values = [parameter('10', 'official'), parameter('11', 'estimate', '2027-01-01')]
  const spec = set({ parameters: [{ name: 'UNIT', unit: 'AUD', values }], rules: [rule({ cases: [flat('2 UNIT')] })] })
  const on = (startDate: string) => priced(spec, request(1, { registration: { startDate } }))
  expect(on('2026-12-31')).toMatchObject({ lines: { DUTY: 2_000 }, warnings: [] })
  expect(on('2027-01-01')).toMatchObject({ lines: { DUTY: 2_200 }, warnings: ['Duty is an estimate.'] })
  expect(on('2027-01-01').answer.categories.onRoad[0]?.evidence).toBe('estimate')
})

test('of the rules in force whose when is not false the highest priority wins, whatever the order in the file', () => {
  const rules = [
    rule({ cases: [flat('1')] }),
    rule({ priority: 200, when: { fuelType: ['BEV'] }, startDate: '2027-01-01', cases: [flat('2')] }),
  ]
  for (const spec of [set({ rules }), set({ rules: rules.toReversed() })]) {
    const on = (startDate: string, fuelType: string) =>
      priced(spec, request(1, { registration: { startDate }, vehicleGeneric: { fuelType } })).answer.categories.onRoad
    expect(on('2026-12-31', 'BEV')).toMatchObject([{ value: 100, startDate: '2026-07-01' }])
    expect(on('2027-01-01', 'BEV')).toMatchObject([{ value: 200, startDate: '2027-01-01' }])
    expect(on('2027-01-01', 'ICE')).toMatchObject([{ value: 100 }])
  }
})

test('a rule whose when is false gives no line, and an exemption gives none or one of nothing', () => {
  const spec = set({
    rules: [
      rule({ component: 'A', when: { registrationType: ['transfer'] }, cases: [flat('1')] }),
      rule({ component: 'B', cases: [{ exempt: { reason: 'Exempt.', line: 'omit' } }] }),
      rule({ component: 'C', cases: [{ exempt: { reason: 'Exempt.', line: 'zero' } }] }),
    ],
  })
  expect(priced(spec, request(1)).lines).toEqual({ C: 0 })
})

const chain = set({
  rules: [
    rule({ component: 'TOTAL', basis: 'BOTH', cases: [{ charge: { whole: { percent: '10' } } }] }),
    rule({
      component: 'CTP',
      cases: [
        { when: { bodyType: ['bus'] }, unpriced: 'No premium is published for a bus.' },
        { when: { bodyType: ['van'] }, exempt: { reason: 'None for vans.', line: 'omit' } },
        flat('551.05'),
      ],
    }),
  ],
  bases: [{ name: 'BOTH', cases: [{ sum: ['line:CTP', 'basis:PRICE'] }] }],
})
const body = (bodyType: string) => priced(chain, request(100, { vehicleGeneric: { bodyType } }))

test('a line is computed on one that stands below it, at its cents', () => {
  expect(body('sedan').lines).toEqual({ TOTAL: 6_511, CTP: 55_105 })
})

test('a line that is left out counts nothing, one without a price leaves those on it without one', () => {
  expect(body('van').lines).toEqual({ TOTAL: 1_000 })
  expect(body('bus')).toMatchObject({
    lines: {},
    warnings: ['No premium is published for a bus.', 'Duty is not priced: it needs CTP, which is not priced.'],
  })
})

test('a basis takes the first case that holds, greatest and firstPresent pass over what was not sent, and it is never below 0', () => {
  const whole = [{ charge: { whole: { percent: '100' } } }]
  const spec = set({
    bases: [
      { name: 'GREATEST', cases: [{ greatest: ['basis:PRICE', 'marketValue'] }] },
      { name: 'FIRST', cases: [{ firstPresent: ['marketValue', 'dutiable'] }] },
      {
        name: 'LIST',
        cases: [
          { when: { present: ['listPrice'] }, sum: ['listPrice', 'kind:factory_option'] },
          { sum: ['dutiable'], warning: 'No list price.' },
        ],
      },
      { name: 'LESS', cases: [{ sum: ['dutiable'], minus: ['150'] }] },
    ],
    rules: ['GREATEST', 'FIRST', 'LIST', 'LESS'].map((name) => rule({ component: name, basis: name, cases: whole })),
  })
  expect(priced(spec, request(100))).toMatchObject({
    lines: { GREATEST: 10_000, FIRST: 10_000, LIST: 10_000, LESS: 0 },
    warnings: ['No list price.'],
  })
  const sent = request(100, { pricingInputs: { marketValue: 20_000, listPrice: 9_000 } })
  sent.pricingInputs.dutiable.push({ description: 'Paint', value: 500, kind: 'factory_option' })
  expect(priced(spec, sent)).toMatchObject({
    lines: { GREATEST: 20_000, FIRST: 20_000, LIST: 9_500, LESS: 0 },
    warnings: [],
  })
})

const concession = (adjustments: NonNullable<Parameters<typeof set>[0]['concessions']>[number]['adjustments']) =>
  set({
    rules: [
      rule({
        basis: 'PRICE',
        terms: [
          { months: 12, factor: '1' },
          { months: 3, factor: '1/4', plus: '1' },
        ],
        cases: [{ charge: { whole: { percent: '1' } } }],
      }),
    ],
    concessions: [
      {
        type: 'CARD',
        label: 'Card',
        description: 'A card.',
        evidence: 'official',
        sources: ['act'],
        startDate: '2026-09-01',
        adjustments,
      },
    ],
  })
const claimed = (spec: ReturnType<typeof concession>, termMonths = 12) =>
  duty(
    spec,
    request(10_000, { registration: { termMonths }, customer: { concession: { hasConcession: true, type: 'CARD' } } }),
  )

test('a concession takes off a share, an amount or an amount a year, or sets one, and never pays out', () => {
  expect(claimed(concession([{ component: 'DUTY', percentOff: '50' }]), 3)).toBe(1_300)
  expect(claimed(concession([{ component: 'DUTY', amountOff: '20' }]), 3)).toBe(600)
  expect(claimed(concession([{ component: 'DUTY', amountOff: '20', perTerm: true }]), 3)).toBe(2_100)
  expect(claimed(concession([{ component: 'DUTY', set: '40', perTerm: true }]), 3)).toBe(1_000)
  expect(claimed(concession([{ component: 'DUTY', percentOff: '33', round: { to: '1' } }]))).toBe(6_700)
  expect(claimed(concession([{ component: 'DUTY', amountOff: '500' }]))).toBe(0)
})

test('a concession on a basis is taken where the basis is computed; one out of its dates or its when is not taken', () => {
  expect(claimed(concession([{ basis: 'PRICE', amountOff: '2400' }]))).toBe(7_600)
  expect(claimed(concession([{ basis: 'PRICE', amountOff: '24000' }]))).toBe(0)
  expect(claimed(concession([{ component: 'DUTY', percentOff: '50', startDate: '2026-12-02' }]))).toBe(10_000)
  expect(claimed(concession([{ component: 'DUTY', percentOff: '50', when: { usageType: ['taxi'] } }]))).toBe(10_000)
})

test('GST is the share that the rule says, half up, and a discount mirrors a price', () => {
  const spec = set({
    rules: [
      rule({ gst: '10/121', cases: [flat('520.50')] }),
      rule({
        component: 'DUTIABLE_LINE',
        category: 'dutiable',
        priority: 200,
        gst: '1/11',
        when: { condition: ['new'] },
        cases: [flat('0')],
      }),
      rule({ component: 'DUTIABLE_LINE', category: 'dutiable', gst: 'none', cases: [flat('0')] }),
    ],
  })
  const asked = request(100, { pricingInputs: { additional: [{ description: 'Plan', value: 1_100 }] } })
  asked.pricingInputs.dutiable.push({ description: 'Discount', value: -1_105, kind: 'discount' })
  const { categories, totals } = priced(spec, asked).answer
  expect(categories.onRoad[0]).toMatchObject({
    tax: { type: 'GST', rate: '10', amount: 4_302 },
    amounts: { exclusive: 47_748, tax: 4_302, inclusive: 52_050 },
  })
  expect(categories.dutiable.map(({ tax, ruleId }) => [tax.amount, ruleId])).toEqual([
    [909, 'AU_XX_DUTIABLE_LINE_FY27'],
    [-100, 'AU_XX_DUTIABLE_LINE_FY27'],
  ])
  expect(categories.additional).toMatchObject([
    { ruleId: 'AU_XX_ADDITIONAL_LINE_FY27', tax: { type: 'NONE', amount: 0 } },
  ])
  expect(totals).toEqual({
    dutiable: 8_895,
    onRoad: 52_050,
    additional: 1_100,
    driveAway: 62_045,
    tax: { dutiable: 809, onRoad: 4_302, additional: 0, overall: 5_111 },
  })
  const used = priced(spec, request(100, { vehicleGeneric: { condition: 'used' } })).answer
  expect(used.categories.dutiable).toMatchObject([{ tax: { type: 'NONE' } }])
})

test('explain says how a line came to its figure and never changes one', () => {
  const spec = set({
    rules: [
      rule({
        basis: 'PRICE',
        terms: [{ months: 6, factor: '1/2' }],
        cases: [{ charge: { bands: [{ upTo: '50', flat: '1' }, { whole: { percent: '1' } }], round: { to: '0.05' } } }],
      }),
    ],
  })
  const asked = request(123.4, { registration: { termMonths: 6 } })
  const plain = priced(spec, asked).answer
  const { categories, ...rest } = priced(spec, { ...asked, options: { explain: true } }).answer
  const [line] = categories.onRoad
  expect(line?.explain).toMatchObject({
    case: 'rules[0].cases[0]',
    basis: { name: 'PRICE', amount: 12_340 },
    step: 'charge.bands[1]',
    unroundedCents: '123.4',
    round: { toCents: '5', mode: 'halfUp' },
    term: { months: 6, factor: '1/2' },
    sources: [{ label: 'Act', official: true }],
  })
  expect(rest).toEqual({ totals: plain.totals, metadata: plain.metadata })
  expect({ ...line, explain: undefined }).toEqual({ ...plain.categories.onRoad[0], explain: undefined })
})

test('explaining a charge that is not on its basis leaves its grade alone', () => {
  const spec = set({
    parameters: [{ name: 'UNIT', unit: 'AUD', values: [parameter('10', 'estimate')] }],
    bases: [{ name: 'B', cases: [{ sum: ['UNIT'], warning: 'Said of the basis.' }] }],
    rules: [rule({ basis: 'B', cases: [flat('1')] })],
  })
  const explained = priced(spec, request(1, { options: { explain: true } }))
  expect(explained.answer.categories.onRoad[0]?.evidence).toBe('official')
  expect(explained.warnings).toEqual([])
})

test('upTo includes its edge and above does not, on the unrounded basis', () => {
  const spec = set({
    rules: [
      rule({
        basis: 'PRICE',
        cases: [
          { when: { basis: { upTo: '100' } }, ...flat('1') },
          { when: { basis: { above: '200' } }, ...flat('3') },
          flat('2'),
        ],
      }),
    ],
  })
  expect([100, 100.01, 200, 200.01].map((dollars) => duty(spec, request(dollars)))).toEqual([100, 200, 200, 300])
})
