import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { messageOf } from '#notices/render/message.ts'
import { change, noticeOf, withChanges } from './invented-notice.ts'

const around = {
  link: 'https://rates.example/explore',
  contact: 'the rates desk',
  unsubscribe: 'mailto:stop@x.example',
}

test('the text says what changes, what to do, the amounts, the source, whom to ask and how to stop it', () => {
  const notice = { ...noticeOf('2026-06-30'), displayName: 'Northside Motors', names: { AU_VIC: 'Victoria' } }
  const { subject, text } = messageOf({ ...notice, number: 5, issuedAt: '2026-06-30T01:02:03Z' }, around)
  expect(subject).toBe('Victoria: amounts for plates change from 1 July 2026')
  expect(text.split('\n')).toEqual([
    'Northside Motors: amounts for plates in Victoria change from 1 July 2026. New quotes from our service follow this automatically; quotes that you have given do not change. ' +
      'Re-issue quotes for vehicles to be registered on or after that day.',
    '',
    'Victoria from 1 July 2026',
    '=========================',
    '',
    'Applies until 30 June 2027, the last day of the published rates.',
    '',
    'Plates',
    '  amount for 12 months: $10.00 → $12.00',
    '  Source: Invented, https://example.com/',
    '',
    'More about the rates: https://rates.example/explore',
    '',
    'Questions? Answer this mail, or ask the rates desk.',
    '',
    'Notice 5, issued on 30 June 2026 at 01:02 UTC. You get this because Northside Motors (client northside in ' +
      'production-apac) asked to be told of changes. To stop these mails, write to stop@x.example. Release sha256:new.',
    '',
  ])
})

test('the HTML says the same in tables', () => {
  const { html } = messageOf(noticeOf('2026-06-30'))
  const texts = html.replace(/<head>.*<\/head>/, '').split(/<[^>]+>/)
  expect(texts.map((each) => each.trim()).filter((each) => each !== '')).toEqual([
    'northside: amounts for plates in AU_VIC change from 1 July 2026. New quotes from our service follow this automatically; quotes that you have given do not change. ' +
      'Re-issue quotes for vehicles to be registered on or after that day.',
    'AU_VIC from 1 July 2026',
    'Applies until 30 June 2027, the last day of the published rates.',
    ...['Plates', 'before', 'from 1 July 2026'],
    ...[
      'amount for 12 months',
      '$10.00',
      '$12.00',
      'Source: Invented, https://example.com/',
      'Questions? Answer this mail.',
    ],
    'You get this because client northside asked to be told of changes. To stop these mails, answer this mail. Release sha256:new.',
  ])
})

test('a postponed figure says when it begins instead, and a figure of one month when it ends', () => {
  const fee = { label: 'amount', old: '$45.20', new: '$44.20', from: '2027-01-01', until: '2027-01-31' }
  const linesOf = (more: Partial<FigureChange>) => messageOf(withChanges([change({ ...fee, ...more })])).text
  const postponed = linesOf({ course: 'postponed' })
  expect(postponed).toContain(
    'amount: $45.20 (announced) → stays $44.20 (postponed from 1 January 2027: $45.20 applies from 1 February 2027)\n',
  )
  expect(linesOf({})).toContain('amount: $45.20 → $44.20 (until 31 January 2027)\n')
  expect(linesOf({ course: 'cancelled' })).toContain(
    '(the change that was announced for 1 January 2027 does not take place; until 31 January 2027)',
  )
  expect(messageOf(withChanges([change({ ...fee, course: 'broughtForward' })])).html).toContain(
    '$44.20 (brought forward from 1 February 2027)',
  )
})

test('of a beginning or an end that is postponed or called off, each side says what it was and is', () => {
  const days = { label: 'amount', from: '2027-01-01' }
  const lineOf = (more: Partial<FigureChange>) => messageOf(withChanges([change({ ...days, ...more })])).text
  const postponed = { until: '2027-01-31', course: 'postponed' } as const
  expect(lineOf({ old: null, new: '$45.20', ...postponed })).toContain(
    'amount: was to end → $45.20 (postponed from 1 January 2027: until 31 January 2027)\n',
  )
  expect(lineOf({ old: '$45.20', new: null, ...postponed })).toContain(
    'amount: $45.20 → not yet (postponed from 1 January 2027: $45.20 applies from 1 February 2027)\n',
  )
  expect(lineOf({ old: '$45.20', new: null, course: 'cancelled' })).toContain(
    'amount: $45.20 → does not begin (the change that was announced for 1 January 2027 does not take place)\n',
  )
  // Days that are past are not called off.
  const past = { from: '2026-07-01', correction: true, course: 'cancelled' } as const
  expect(lineOf({ old: '$45.20', new: null, ...past })).toContain('amount: $45.20 → no longer applies\n')
})

test('a correction says what it means for quotes: since when, and that it holds today or only held', () => {
  const now = { ...noticeOf('2026-11-21'), issuedAt: '2026-11-21T00:00:00Z' }
  const { subject, text, html } = messageOf(now)
  expect(subject).toBe('AU_VIC: amounts for plates are corrected from 1 July 2026')
  for (const body of [text, html])
    expect(body).toContain(
      'This corrects amounts in use since 1 July 2026 and applies to new quotes from today. Quotes already given may be wrong: re-issue those that are still open.',
    )
  expect(text).not.toContain('Re-issue')
  const past = { ...now, changes: [change({ from: '2026-07-01', until: '2026-09-30', correction: true })] }
  expect(messageOf(past).text).toContain('This corrects amounts of past days, 1 July 2026 to 30 September 2026.')
})

test('days come in their order, then pricing codes, then components with figures first', () => {
  const later = change({ from: '2028-01-01', component: 'CTP' })
  const wales = change({ pricingCode: 'AU_NSW' })
  const { subject, text } = messageOf(
    withChanges([later, change({ label: 'cases', about: 'terms' }), change({}), wales], { environment: '' }),
  )
  expect(subject).toBe(
    'AU_NSW: amounts for stamp duty change from 1 July 2027; AU_VIC: amounts for stamp duty and CTP change from 1 July 2027 on',
  )
  expect(text.split('\n').filter((line) => /^(AU|[A-Z][A-Za-z ]+$| {2})/.test(line))).toEqual([
    ...['AU_NSW from 1 July 2027', 'Stamp duty', '  amount: $1 → $2'],
    ...['AU_VIC from 1 July 2027', 'Stamp duty', '  amount: $1 → $2', '  cases: $1 → $2'],
    ...['AU_VIC from 1 January 2028', 'CTP', '  amount: $1 → $2'],
  ])
})

test('what begins, what ends, concessions, parameters and whole rate sets have words of their own', () => {
  const { text } = messageOf(
    withChanges([
      change({
        kind: 'set',
        component: 'set',
        label: 'rate set FY28',
        financialYear: '2027-2028',
        old: null,
        new: 'published',
      }),
      change({
        kind: 'concession',
        component: 'PENSIONER',
        label: 'registration',
        old: null,
        new: '$10 off',
      }),
      change({ kind: 'parameter', component: 'FEE_UNIT', label: 'value', new: null }),
      change({
        pricingCode: 'AU_WA',
        kind: 'set',
        component: 'set',
        label: 'rate set FY27',
        financialYear: '2026-2027',
        old: 'published',
        new: null,
      }),
    ]),
  )
  for (const line of [
    'AU_VIC 2027-28: rates are now published, from 1 July 2027.',
    'Concession: pensioner\n  registration: no reduction before → $10 off',
    'Fee unit\n  value: $1 → no longer applies',
    'AU_WA 2026-27 can no longer be quoted.',
  ])
    expect(text).toContain(line)
})

test('a set that is withdrawn is the subject', () => {
  const withdrawn = change({
    kind: 'set',
    label: 'rate set FY27',
    financialYear: '2026-2027',
    old: 'published',
    new: null,
    correction: true,
  })
  expect(messageOf(withChanges([withdrawn])).subject).toBe('AU_VIC 2026-27 can no longer be quoted')
})

test('of two conditions only what differs is said', () => {
  const upTo = (amount: string) => ({ tests: ['passenger'], bounds: [{ side: 'up to' as const, amount }] })
  const own = 'passenger; basis up to $80,809'
  const conditions = [upTo('$80,567'), upTo('$80,809')] as const
  const title = { words: own, condition: upTo('$80,809') }
  const words = {
    ...{ case: own, titles: [title], label: `${own}: applies to`, what: 'applies to' },
    ...{ about: 'terms' as const, old: 'passenger; basis up to $80,567', new: own },
  }
  const told = (more: Partial<FigureChange>) => messageOf(withChanges([change({ ...words, ...more })])).text
  expect(told({ conditions })).toContain('  passenger: threshold: $80,567 → $80,809\n')
  // Of another side it is no threshold that moves.
  const above = { tests: ['passenger'], bounds: [{ side: 'above' as const, amount: '$80,809' }] }
  expect(told({ conditions: [upTo('$80,567'), above] })).toContain('value up to $80,567 → value above $80,809\n')
})

test('what is not listed is counted, in the summary too', () => {
  const more = [
    { pricingCode: 'AU_VIC', from: '2027-07-01', count: 40 },
    { pricingCode: 'AU_WA', from: '2027-12-01', count: 1 },
  ]
  const { subject, text, html } = messageOf(withChanges([change({})], { more }))
  expect(subject).toBe(
    'AU_VIC: amounts for stamp duty change from 1 July 2027; AU_WA: rates change from 1 December 2027',
  )
  for (const body of [text, html]) {
    expect(body).toContain('Not listed here: 41 more changes. Answer this mail to get the whole list.')
    expect(body).toContain('AU_VIC, from 1 July 2027: amounts for stamp duty (41 changes)')
    expect(body).toContain('AU_WA, from 1 December 2027: rates (1 change)')
  }
})

test('a notice that takes another back says so, and nothing else', () => {
  const { subject, text } = messageOf(withChanges([], { replaces: { number: 4, issuedAt: '2026-06-29T01:02:03Z' } }))
  expect(subject).toBe('Taken back: notice 4 of a change of rates')
  expect(text.split('\n')[0]).toBe(
    'This takes back notice 4 of 29 June 2026 at 01:02 UTC, whether or not it reached you: the rates stay as they were before it.',
  )
})

test('whatever changes, a mail stays under 90 KB, and its summary comes first', () => {
  const long = 'x'.repeat(150)
  const many = Array.from({ length: 200 }, (_, at) =>
    change({
      pricingCode: `AU_${at % 100}`,
      label: `${long} ${at}`,
      old: `&${long}`,
      new: `<${long}`,
      sources: [long.repeat(3)],
    }),
  )
  const more = many.slice(0, 100).map(({ pricingCode }) => ({ pricingCode, from: '2027-07-01', count: 9 }))
  const { subject, text, html } = messageOf(withChanges(many, { more }), around)
  for (const body of [text, html]) expect(Buffer.byteLength(body)).toBeLessThan(90_000)
  expect(text.indexOf('- AU_0, from 1 July 2027: amounts for stamp duty (11 changes)')).toBeLessThan(500)
  expect(text).toContain('of 60 more jurisdictions and days')
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(1_500)
  expect(subject.length).toBeLessThanOrEqual(200)
})

test('of many sources three are named', () => {
  const sources = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  const { text, html } = messageOf(withChanges([change({ sources })]))
  for (const body of [text, html]) expect(body).toMatch(/source: First; Second; Third; and 2 more/i)
})

test('an official page is named with its address, before what others record, and others are said to be unofficial', () => {
  const page = { title: 'Number plate fees', url: 'https://fees.example/plates' }
  const sources = ['Number plate fees', 'Fees, as a third party records them']
  const official = messageOf(withChanges([change({ sources, official: page })]))
  for (const body of [official.text, official.html]) {
    expect(body).toContain('Source: Number plate fees, https://fees.example/plates')
    expect(body).not.toContain('third party')
  }
  const others = messageOf(withChanges([change({ sources: sources.slice(1), official: null })]))
  for (const body of [others.text, others.html])
    expect(body).toContain('Source (unofficial): Fees, as a third party records them')
})

test('of many pricing codes a subject names three', () => {
  const codes = ['AU', 'AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD']
  const { subject } = messageOf(withChanges(codes.map((pricingCode) => change({ pricingCode }))))
  expect(subject).toBe('AU, AU_ACT, AU_NSW and 2 more: amounts for stamp duty change from 1 July 2027')
})

test('a title cannot be markup, load anything, or break a line', () => {
  const source = `<img src="https://example.com/x" onerror='x'>\r\nBcc: a@example.com`
  const { subject, text, html } = messageOf(
    withChanges([change({ label: 'a & b', sources: [source] })], { names: { AU_VIC: 'a\r\n\u202Eb' } }),
  )
  expect(subject).toMatch(/^a b: /)
  for (const part of [subject, text, html]) expect(part).not.toContain('\u202E')
  expect(html).toContain('a &amp; b')
  expect(html).toContain('&lt;img src=&quot;https://example.com/x&quot; onerror=&#39;x&#39;&gt; Bcc: a@example.com')
  const body = html.replace(/<head>.*<\/head>/, '')
  expect(body).not.toMatch(/<(img|link|script|style|iframe|object)|url\(|src=["'h]/)
  expect(text).not.toMatch(/^Bcc/m)
})
