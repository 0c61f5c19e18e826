import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figures.ts'
import { messageOf } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import type { Notice } from '#notices/notice.ts'
import { inventedSet } from '../../operator/invented-set.ts'

function noticeOf(today: string): Notice {
  const sets = (fee: string) => [inventedSet('AU'), inventedSet('AU_VIC', { fee })]
  const announced = { number: 1, release: 'sha256:old', sets: sets('10.00') }
  const published = { release: 'sha256:new', sets: sets('12.00') }
  const recipients = [{ client: 'northside', to: ['rates@northside.example'] }]
  return [...noticesOf(announced, published, recipients, { environment: 'production-apac', today: () => today })][0]!
}

const change = (more: Partial<FigureChange>): FigureChange => ({
  ...{ pricingCode: 'AU_VIC', component: 'STAMP_DUTY', kind: 'rule', label: 'amount', about: 'figure', old: '$1' },
  ...{ new: '$2', from: '2027-07-01', sources: [], ...more },
})
const withChanges = (changes: FigureChange[], more: Partial<Notice> = {}): Notice => ({
  ...{ ...noticeOf('2026-06-30'), changes },
  ...more,
})

test('the text names component, old and new amount, effective date and source', () => {
  const { subject, text } = messageOf(noticeOf('2026-06-30'))
  expect(subject).toBe('Rates of AU_VIC change from 1 July 2026 (production-apac)')
  expect(text.split('\n')).toEqual([
    'The rates behind the drive-away prices of client northside change in production-apac. ' +
      'A new figure applies to quotes whose registration starts on or after its day.',
    '',
    'AU_VIC from 1 July 2026',
    '=======================',
    '',
    'Plates [AU_VIC_PLATES_FY27]',
    '  amount: $10.00 → $12.00',
    '  source: Invented',
    '',
    'The figures of these days for a program: GET /v1/changes?from=2026-07-01&to=2026-07-01',
    '',
    'This goes to the contacts of client northside that have notices on. Release sha256:new.',
    '',
  ])
})

test('the HTML says the same in tables', () => {
  const { html } = messageOf(noticeOf('2026-06-30'))
  const texts = html.replace(/<head>.*<\/head>/, '').split(/<[^>]+>/)
  expect(texts.map((each) => each.trim()).filter((each) => each !== '')).toEqual([
    'The rates behind the drive-away prices of client northside change in production-apac. ' +
      'A new figure applies to quotes whose registration starts on or after its day.',
    ...['AU_VIC from 1 July 2026', 'Plates', 'AU_VIC_PLATES_FY27', 'before', 'from 1 July 2026'],
    ...['amount', '$10.00', '$12.00', 'Source: Invented'],
    ...['The figures of these days for a program:', 'GET /v1/changes?from=2026-07-01&amp;to=2026-07-01'],
    'This goes to the contacts of client northside that have notices on. Release sha256:new.',
  ])
})

test('a postponed figure says when it begins instead, and a figure of one month when it ends', () => {
  const fee = { label: 'amount', old: '$45.20', new: '$44.20', from: '2027-01-01', until: '2027-01-31' }
  const linesOf = (more: Partial<FigureChange>) => messageOf(withChanges([change({ ...fee, ...more })])).text
  const postponed = linesOf({ course: 'postponed' })
  expect(postponed).toContain(
    'amount: $45.20 → $44.20 (postponed from 1 January 2027: $45.20 applies from 1 February 2027)\n',
  )
  // The program finds the figure on the day that it begins now.
  expect(postponed).toContain('GET /v1/changes?from=2027-01-01&to=2027-02-01')
  expect(linesOf({})).toContain('amount: $45.20 → $44.20 (until 31 January 2027)\n')
  expect(linesOf({ course: 'cancelled' })).toContain(
    '(the change that was announced for 1 January 2027 does not take place; until 31 January 2027)',
  )
  expect(messageOf(withChanges([change({ ...fee, course: 'broughtForward' })])).html).toContain(
    '$44.20 (brought forward from 1 February 2027)',
  )
})

test('a correction of days already past is marked, in the subject too', () => {
  const { subject, text, html } = messageOf(noticeOf('2026-11-21'))
  expect(subject).toBe('Rates of AU_VIC are corrected from 1 July 2026 (production-apac)')
  for (const body of [text, html])
    expect(body).toContain(
      'A correction of days already past: what was quoted for these days would be quoted otherwise now.',
    )
})

test('days come in their order, then pricing codes, then components with figures first', () => {
  const later = change({ from: '2028-01-01', component: 'CTP' })
  const wales = change({ pricingCode: 'AU_NSW' })
  const { subject, text } = messageOf(
    withChanges([later, change({ label: 'cases', about: 'terms' }), change({}), wales], { environment: '' }),
  )
  expect(subject).toBe('Rates of AU_NSW and AU_VIC change from 1 July 2027 on')
  expect(text.split('\n').filter((line) => /^(AU|[A-Z][A-Za-z ]+$| {2})/.test(line))).toEqual([
    ...['AU_NSW from 1 July 2027', 'Stamp duty', '  amount: $1 → $2'],
    ...['AU_VIC from 1 July 2027', 'Stamp duty', '  amount: $1 → $2', '  cases: $1 → $2'],
    ...['AU_VIC from 1 January 2028', 'CTP', '  amount: $1 → $2'],
  ])
  expect(text).toContain('GET /v1/changes?from=2027-07-01&to=2028-01-01')
})

test('what begins, what ends, concessions, parameters and whole rate sets have words of their own', () => {
  const { text } = messageOf(
    withChanges([
      change({ kind: 'set', component: 'set', label: 'rate set FY28', old: null, new: 'published' }),
      change({ kind: 'concession', component: 'PENSIONER', label: 'REGISTRATION', old: null, new: '$10 off' }),
      change({ kind: 'parameter', component: 'FEE_UNIT', label: 'value', new: null }),
      change({
        pricingCode: 'AU_WA',
        kind: 'set',
        component: 'set',
        label: 'rate set FY27',
        old: 'published',
        new: null,
      }),
    ]),
  )
  for (const line of [
    'Rate set\n  rate set FY28: not published → published',
    'Concession PENSIONER\n  REGISTRATION: nothing → $10 off',
    'FEE_UNIT\n  value: $1 → no longer',
    'Rate set\n  rate set FY27: published → withdrawn',
  ])
    expect(text).toContain(line)
})

test('what is not listed is counted and named, its days are in the address of the whole', () => {
  const more = [
    { pricingCode: 'AU_VIC', from: '2027-07-01', count: 40 },
    { pricingCode: 'AU_WA', from: '2027-12-01', count: 1 },
  ]
  const { subject, text, html } = messageOf(withChanges([change({})], { more }))
  expect(subject).toBe('Rates of AU_VIC and AU_WA change from 1 July 2027 on (production-apac)')
  for (const body of [text, html])
    expect(body).toContain(
      'Not listed here: 41 more changes, 40 of AU_VIC from 1 July 2027, 1 of AU_WA from 1 December 2027.',
    )
  expect(text).toContain('GET /v1/changes?from=2027-07-01&to=2027-12-01')
})

test('of many sources three are named', () => {
  const sources = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  const { text, html } = messageOf(withChanges([change({ sources })]))
  for (const body of [text, html]) expect(body).toMatch(/source: First; Second; Third; and 2 more/i)
})

test('of many pricing codes a subject names three', () => {
  const codes = ['AU', 'AU_ACT', 'AU_NSW', 'AU_NT', 'AU_QLD']
  const { subject } = messageOf(withChanges(codes.map((pricingCode) => change({ pricingCode }))))
  expect(subject).toBe('Rates of AU, AU_ACT, AU_NSW and 2 more change from 1 July 2027 (production-apac)')
})

test('a title cannot be markup, load anything, or break a line', () => {
  const source = `<img src="https://example.com/x" onerror='x'>\r\nBcc: a@example.com`
  const { subject, text, html } = messageOf(
    withChanges([change({ label: 'a & b', sources: [source] })], { environment: 'a\r\nb' }),
  )
  expect(subject).toMatch(/\(a b\)$/)
  expect(html).toContain('a &amp; b')
  expect(html).toContain('&lt;img src=&quot;https://example.com/x&quot; onerror=&#39;x&#39;&gt; Bcc: a@example.com')
  expect(html).not.toMatch(/<(img|link|script|style|iframe|object)|url\(|src=["'h]/)
  expect(text).not.toMatch(/^Bcc/m)
})
