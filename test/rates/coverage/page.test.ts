import { expect, test } from 'vitest'
import { coverSets } from '#rates/coverage/cover-sets.ts'
import { coveragePage } from '#rates/coverage/page.ts'
import { changed, federal, state, type Changes } from '../checks/sample.ts'

const NOTHING = { notExecuted: [], notFound: [], notShown: [] }

const page = (...changes: Changes[]) =>
  coveragePage(coverSets([federal(), ...changes.map((one) => changed(one))]), NOTHING)

const older: Changes = { financialYear: '2025-2026' }

test('a component has a row with its grade and the numbers of its sources in each year', () => {
  expect(page({}, older)).toContain('| STAMP_DUTY | official [1] | official [1] |')
})

test('a component that is priced in part, and one that is not priced, say so', () => {
  const text = page({ 'rules[0].cases': [{ unpriced: 'Costs $5, not $6.' }] })
  expect(text).toContain('| STAMP_DUTY | not priced [1] |')
  expect(text).toContain('| CTP | in part: official [1] |')
  expect(text).toContain('- STAMP_DUTY: Costs \\$5, not \\$6. (2026-2027)')
})

test('a component under which nothing is charged says why', () => {
  const exempt = { reason: 'Inside the premium.', line: 'omit' }
  const text = page({ 'rules[0].cases': [{ exempt }] })
  expect(text).toContain('| STAMP_DUTY | no line [1] |')
  expect(text).toContain('### No line\n\n- STAMP_DUTY: Inside the premium. (2026-2027)')
})

test('an exemption of a component that is charged is no gap', () => {
  const exempt = { when: { class: ['green'] }, exempt: { reason: 'Green.', line: 'zero' } }
  expect(page({ 'rules[0].cases[0]': exempt })).not.toContain('Green.')
})

test('a text that several years say stands once, with the years', () => {
  expect(page({}, older)).toContain('- CTP: No amount is published for: REST. (2025-2026, 2026-2027)')
})

test('a change within a year shows the days of each part', () => {
  const [duty, premium] = state().rules
  const later = { ...duty!, startDate: '2026-09-01', verification: { ...duty!.verification, evidence: 'secondary' } }
  const text = page({ rules: [{ ...duty, endDate: '2026-08-31' }, later, premium] })
  expect(text).toContain('| STAMP_DUTY | to 2026-08-31: official [1]<br>from 2026-09-01: secondary [1] |')
})

test('two rules of one component that say the same are said once', () => {
  const [duty, premium] = state().rules
  const text = page({ rules: [{ ...duty, priority: 200 }, duty, premium] })
  expect(text).toContain('| STAMP_DUTY | official [1] |')
})

test('a year that one code has and another has not is missing', () => {
  const text = page({}, older)
  expect(text).toContain('| [AU](#au) | **missing** | 1 priced |')
  expect(text).toContain('| LUXURY_CAR_TAX | **missing** | official [1] |')
})

test('a source stands once in the list, however many years cite it', () => {
  const source = '1. [Duties Act](<https://example.gov.au/act>), State'
  expect(page({}, older).split(source)).toHaveLength(3)
})

test('a source that is not official is marked', () => {
  expect(page({ 'sources[0].official': false })).toContain('State (not official)')
})

test('the same sets make the same page, whatever their order', () => {
  expect(page({}, older)).toBe(page(older, {}))
})

test('a published figure that an example executes is listed with its source, one worked by hand is not', () => {
  const published = { kind: 'published', name: 'act', note: '$600' }
  expect(page({ 'examples[0].source': published })).toContain('- A small car: \\$600 [1] (2026-2027)')
  expect(page({})).not.toContain('A small car')
})

test('an official figure that nothing executes is listed with its source and the reason', () => {
  const figure = {
    pricingCode: 'AU',
    figure: '$9 of 2001',
    label: 'A page',
    url: 'https://a.example',
    reason: 'Too old.',
  }
  expect(coveragePage(coverSets([federal()]), { ...NOTHING, notExecuted: [figure] })).toContain(
    '| AU | \\$9 of 2001 | [A page](<https://a.example>) | Too old. |',
  )
})

test('a figure that was not found is listed with what was searched for it', () => {
  const figure = {
    pricingCode: 'AU_WA',
    component: 'CTP',
    financialYears: ['2026-2027'],
    figure: 'Class 2',
    searched: 'The table of premiums; it stops at class 1A, $504.70.',
  }
  expect(coveragePage(coverSets([federal()]), { ...NOTHING, notFound: [figure] })).toContain(
    '| AU_WA | CTP | 2026-2027 | Class 2 | The table of premiums; it stops at class 1A, \\$504.70. |',
  )
})

test('a figure that no official page shows is listed apart, with what the pages have instead', () => {
  const figure = {
    pricingCode: 'AU_NT',
    component: 'PLATES',
    financialYears: ['2026-2027'],
    figure: '$48',
    searched: 'The page of fees shows licence fees only.',
  }
  const text = coveragePage(coverSets([federal()]), { ...NOTHING, notShown: [figure] })
  expect(text.slice(text.indexOf('## Figures that no official page shows'))).toContain(
    '| AU_NT | PLATES | 2026-2027 | \\$48 | The page of fees shows licence fees only. |',
  )
})

test('sources that do not agree are listed with the figure taken, the one left out and why', () => {
  const conflicts = [{ taken: '$5 of the act', leftOut: '$6 of a dealer', because: 'The act is the law.' }]
  expect(page({ 'rules[0].verification.conflicts': conflicts })).toContain(
    '### Sources that do not agree\n\n- STAMP_DUTY: Taken: \\$5 of the act. Left out: \\$6 of a dealer. The act is the law. (2026-2027)',
  )
  expect(page({})).not.toContain('do not agree')
})
