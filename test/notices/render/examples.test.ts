import { expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { messageOf } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import { sets } from '../../rates/properties/sets.ts'

/*
 * Sixteen changes of the real rate sets, as the mails that a client of two states gets of them, in docs/examples/notices. The
 * amounts that are changed to are invented. After a change of the words: vitest run -u, and read them.
 */
const of = (pricingCode: string, year: string): RateSetSpec =>
  structuredClone(sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)!)

type Edit = (vic: RateSetSpec, federal: RateSetSpec) => void

function rates(edit: Edit = () => undefined, years = ['2025-2026', '2026-2027']): RateSetSpec[] {
  const [vic, federal] = ['AU_VIC', 'AU'].map((code) => years.map((year) => of(code, year)))
  edit(vic!.at(-1)!, federal!.at(-1)!)
  return [...vic!, ...federal!]
}

const plates = ({ rules }: RateSetSpec) => rules.find(({ component }) => component === 'PLATES')!

/** Number plates at another fee within some days of the year. */
function platesFrom(first: string, fee: string, last?: string): Edit {
  return (vic) => {
    const rule = plates(vic)
    const priced = structuredClone(rule)
    priced.startDate = first
    if (last !== undefined) priced.endDate = last
    priced.cases.at(-1)!.charge!.flat = fee
    const day = (iso: string, by: number) => new Date(Date.parse(iso) + by * 86_400_000).toISOString().slice(0, 10)
    const after = last === undefined ? [] : [{ ...structuredClone(rule), startDate: day(last, 1) }]
    rule.endDate = day(first, -1)
    vic.rules.push(priced, ...after)
  }
}

/** Number plates are not priced from a day of the year on. */
function notPricedFrom(first: string): Edit {
  return (vic, federal) => {
    platesFrom(first, '0')(vic, federal)
    const { cases } = vic.rules.at(-1)!
    cases.splice(-1, 1, { unpriced: 'The fee of 2027 is not published.' })
  }
}

/** Geelong is a zone of its own, and each table of the charge has a row for it. */
function newZone(vic: RateSetSpec): void {
  const tac = vic.zones!.find(({ name }) => name === 'TAC')!
  const outer = tac.values.find(({ zone }) => zone === 'OUTER')!
  outer.postcodes = outer.postcodes.filter((each) => each !== '3214-3220')
  tac.values.splice(tac.values.indexOf(outer), 0, { zone: 'GEELONG', label: 'Geelong zone', postcodes: ['3214-3220'] })
  for (const { charge } of vic.rules.find(({ component }) => component === 'CTP')!.cases)
    charge?.table?.rows.push({ zone: 'GEELONG', amounts: ['470'] })
}

/** Western Australia with the percentage of its middle band rounded up. */
function roundedUp(): RateSetSpec {
  const wa = of('AU_WA', '2026-2027')
  const charges = wa.rules.flatMap(({ cases }) => cases.flatMap(({ charge }) => charge ?? []))
  for (const { interpolate } of charges.flatMap(({ bands = [] }) => bands)) if (interpolate) interpolate.mode = 'up'
  return wa
}

const january = platesFrom('2027-01-01', '45.20')
const EXAMPLES: [name: string, old: RateSetSpec[], now: RateSetSpec[], expected: string[], today?: string][] = [
  [
    'new-year',
    rates(undefined, ['2025-2026']),
    rates(),
    [
      'Victoria 2026-27: rates are now published, from 1 July 2026.',
      // Road Safety Act 1986 (Vic) s 9, and Monetary Units Act 2004 s 7(3).
      // Half and a quarter, each to the cent.
      'For 6 months: $171.65 → $176.35; for 3 months: $85.83 → $88.18.',
      'amounts for stamp duty, registration, CTP, insurance duty, plates and transfer fee in Victoria change',
      ': $343.30 → $352.70 (20.42 × fee unit at $17.27 is $352.6534, rounded to the nearest 10 cents)',
      'Luxury car tax\n  luxury car tax threshold: $80,567 → $80,809; on an LCT value of $100,000: $5,829.90 → $5,757.30\n  luxury car tax threshold of fuel-efficient cars: $91,387 → $91,661; on an LCT value of $100,000: $2,583.90 → $2,501.70\n  Stamp duty in Victoria changes with luxury car tax.\n  Source',
      'GST added to the luxury car tax value of a car sold free of GST\n  amount: $6,334 → $6,353',
      // The set gives both the grade `estimate`.
      'ute, cab chassis or van, unless taxi, vehicle over 4.5 t or goods vehicle for a load over 2 t: metropolitan zone for 12 months: $535 → $552 (estimate)\n',
      '$46.70 → $48.00 (estimate; 2.78 × fee unit at $17.27 is $48.0106, rounded to the nearest 10 cents)\n',
      'Source (unofficial): Indexation of fees and penalties',
    ],
    '2026-05-15',
  ],
  [
    'new-fee-in-mid-year',
    rates(),
    rates(january),
    [
      'Re-issue quotes for vehicles to be registered on or after that day.',
      'amount, unless motorcycle: $44.20 → $45.20',
    ],
  ],
  [
    'corrected-fee',
    rates(),
    rates((vic) => void (plates(vic).cases.at(-1)!.charge!.flat = '44.40')),
    [
      'in use since 1 July 2026 and applies to new quotes from today',
      '$44.20 → $44.40',
      'Applies until 30 June 2027, the last day of the published rates.',
      // Of the grade `secondary`: the page of the authority was not read.
      'Source (unofficial): Number plate fees. Official page: Number plate fees, https://www.vicroads.vic.gov.au/',
    ],
  ],
  [
    'postponed',
    rates(january),
    rates(platesFrom('2027-02-01', '45.20')),
    [
      'Motors: the change of amounts for plates in Victoria on 1 January 2027 is postponed to 1 February 2027.',
      'amount, unless motorcycle: $45.20 (announced) → stays $44.20 (postponed',
      'postponed from 1 January 2027: $45.20 applies from 1 February 2027',
    ],
  ],
  [
    'postponed-and-changed',
    rates(january),
    rates(platesFrom('2027-02-01', '46.00')),
    [
      'Subject: Victoria: the change of amounts for plates on 1 January 2027 is postponed to 1 February 2027 and changed',
      'for vehicles to be registered on or after 1 January 2027.',
      'postponed from 1 January 2027: $46.00 applies from 1 February 2027 instead of $45.20',
      // Nobody pays $45.20: it was announced, and never came.
      'amount, unless motorcycle: $44.20 → $46.00 (instead of the announced $45.20)\n',
    ],
  ],
  [
    'taken-back',
    rates(january),
    rates(),
    [
      'Subject: Victoria: the change of amounts for plates on 1 January 2027 does not take place',
      '$45.20 (announced) → stays $44.20 (the change that was announced for 1 January 2027 does not take place)',
    ],
  ],
  [
    'one-month-only',
    rates(),
    rates(platesFrom('2027-01-01', '20.00', '2027-01-31')),
    [
      'Subject: Victoria: amounts for plates change from 1 January 2027 until 31 January 2027 only\n',
      '$44.20 → $20.00 (until 31 January 2027)',
      'Re-issue quotes for vehicles to be registered from 1 January 2027 to 31 January 2027. From 1 February 2027 on, what was published before this change applies again.',
    ],
  ],
  [
    'postcode-moves',
    rates(),
    rates((vic) => void (vic.zones![0]!.values[0]!.postcodes = [...vic.zones![0]!.values[0]!.postcodes, '3999'])),
    [
      'Subject: Victoria: amounts for CTP and insurance duty, and zones of postcodes are corrected',
      'open quotes for vehicles kept in postcode 3999 and to be registered on or after that day.',
      'Zones of postcodes: TAC risk zone',
      // The charges of 2026-27 in the two zones.
      'postcode 3999: rural zone → metropolitan zone\n  CTP for 12 months, passenger car: $429 → $551\n  Insurance duty, passenger car: $42.90 → $55.10\n',
      '$290 → $552 (estimate)\n  Insurance duty, ute, cab chassis or van, unless taxi, vehicle over 4.5 t or goods vehicle for a load over 2 t: $29.00 → $55.20 (estimate)\n',
      'The zone decides the amounts of CTP and insurance duty.',
    ],
  ],
  [
    'new-zone',
    rates(),
    rates(newZone),
    [
      'open quotes for vehicles kept in postcodes 3214-3220 and to be registered on or after that day.',
      'postcodes 3214-3220: outer metropolitan zone → Geelong zone',
      'The amounts for 3 and 6 months change too.',
      'passenger car: Geelong zone for 12 months: $495 (outer metropolitan zone) → $470',
      'Insurance duty is 10 % of CTP: $49.50 → $47.00 for the first line above.',
    ],
  ],
  [
    'other-rounding',
    rates(),
    rates((vic) => {
      const rule = vic.rules.find(({ component }) => component === 'REGISTRATION')!
      for (const { charge } of rule.cases) if (charge?.round) charge.round = { to: '1' }
    }),
    [
      'amount for 12 months, unless motorcycle or bus, vehicle over 4.5 t or goods vehicle for a load over 2 t: $352.70 → $353.00 (20.42 × fee unit at $17.27 is $352.6534, rounded to the nearest dollar)',
      'rounded, unless motorcycle or bus, vehicle over 4.5 t or goods vehicle for a load over 2 t: to the nearest 10 cents → to the nearest dollar',
    ],
  ],
  [
    'other-rounding-of-a-rate',
    [of('AU_WA', '2026-2027')],
    [roundedUp()],
    // 2.75 + (30,000 - 25,000) / 6,666.66 is 3.50000075 %, Duties Act 2008 (WA) s 38: 3.50 % or 3.51 % of $30,000.
    ['4.5 t: rate rounded to the nearest 0.01 % → rounded up to the next 0.01 %; on $30,000: $1,050.00 → $1,053.00\n'],
  ],
  [
    'threshold',
    rates(),
    rates((_, federal) => {
      const parameter = federal.parameters!.find(({ name }) => name === 'LCT_THRESHOLD')!
      parameter.values[0]!.value = '80999'
    }),
    [
      'Luxury car tax\n  luxury car tax threshold: $80,809 → $80,999; on an LCT value of $100,000: $5,757.30 → $5,700.30\n  Stamp duty in Victoria changes with luxury car tax.\n  Source',
      // Duties Act 2000 (Vic) s 218: 405 × $10.40 and 405 × $8.40.
      'threshold of the dutiable value, passenger car, unless primary producer or green car: $80,809 → $80,999 (up to it $8.40 for each $200 or part of the whole value, above it and up to $100,000 $10.40 for each $200 or part of the whole value); on a dutiable value of $80,900: $4,212.00 → $3,402.00\n',
    ],
  ],
  [
    'concession-ends',
    rates(),
    rates((vic) => void (vic.concessions![0]!.endDate = '2026-12-31')),
    [
      'concessions (eligible beneficiary) no longer apply from 1 January 2027',
      'Re-issue quotes that claim the concession eligible beneficiary, for vehicles to be registered on or after that day.',
      'Concession: eligible beneficiary',
      'no longer applies',
    ],
  ],
  [
    'not-priced',
    rates(),
    rates(notPricedFrom('2027-01-01')),
    [
      'Subject: Victoria: plates can no longer be priced from 1 January 2027\n',
      'New quotes from our service leave out the price of plates and say that they are not complete. It still has to be paid: ask us what it costs,',
      'amount, unless motorcycle: $44.20 → not priced (The fee of 2027 is not published.)',
    ],
  ],
  [
    'withdrawn',
    rates(),
    rates((vic) => void (vic.withdrawn = true)),
    [
      'Victoria 2026-27 can no longer be quoted. Our service gives no quotes for vehicles registered in Victoria',
      'ask us before a customer signs.',
    ],
  ],
  [
    'quoted-again',
    rates((vic) => void (vic.withdrawn = true)),
    rates((vic) => void (plates(vic).cases.at(-1)!.charge!.flat = '44.40')),
    ['Northside Motors: Victoria 2026-27 can be quoted again.', '$44.20 → $44.40'],
  ],
]

const RECIPIENT = { client: 'northside', displayName: 'Northside Motors', to: [], pricingCodes: ['AU_VIC', 'AU_WA'] }
const AROUND = {
  link: 'https://rates.driveaway.example/explore',
  pagesUrl: 'https://pricing.driveaway.example',
  contact: 'the rates desk, rates@driveaway.example',
  unsubscribe: 'mailto:stop@driveaway.example',
}

test.each(EXAMPLES)('the mail of the example %s', async (...[name, old, now, expected, today = '2026-11-22']) => {
  const telling = { environment: 'production', today: () => today, issuedAt: `${today}T09:14:00Z` }
  const published = { number: 5, release: 'sha256:0123abcd', sets: now }
  const notices = [...noticesOf({ number: 4, release: 'sha256:old', sets: old }, published, [RECIPIENT], telling)]
  expect(notices).toHaveLength(1)
  const { subject, text } = messageOf({ ...notices[0]!, page: '5-0123abcd' }, AROUND)
  const mail = `Subject: ${subject}\n\n${text}`
  for (const line of expected) expect(mail).toContain(line)
  await expect(mail).toMatchFileSnapshot(`../../../docs/examples/notices/${name}.txt`)
})
