import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'
import { withoutEntities } from '../../../../worker/moderation/content/entities.ts'

const { check } = createContentModerator()
const codesOf = (text: string, field = 'description') =>
  check({ vehicle: { source_id: 'a', [field]: text } }).map(({ code }) => code)

test.each([
  ...[
    '0412&nbsp;345&nbsp;678',
    '0412&#160;345&#160;678',
    '0412&nbsp345&NBSP;678',
    '&#x30;412 345 678',
    '&#048;412345678',
  ],
  ...['04&shy;12&ensp;345&thinsp;678', '0412&#150;345&#x96;678', '&amp;#48;412 345 678', '&#xFF10;412&zwj;345678'],
  ...['joescars&#46;com&#46;au', 'joe&commat;gmail&period;com', 'https&colon;&sol;&sol;joes.example', '&#64joescars'],
])('%s is a contact detail, as a page shows it', (written) => {
  expect(codesOf(`For more ${written} any day`)).toEqual(['CONTACT_DETAILS'])
})

test.each(['f&#117;ck', 'fu&zwnj;ck', 'sh&#x69;t', '&#102;&#117;&#99;&#107;'])('%s is profane', (written) => {
  expect(codesOf(`Driven by ${written} of a man`)).toEqual(['PROFANITY'])
  const vehicle = { source_id: 'a', dealer_name: `${written} & Sons`, description: 'x' }
  expect(check({ vehicle })).toMatchObject([{ code: 'PROFANITY', isFlag: true }])
})

test('entities hide no scheme and no markup of a bulletin board', () => {
  for (const link of ['javascript&colon;alert(1)', 'java&Tab;script:alert(1)', 'data&#58;text/html,x'])
    expect(codesOf(link, 'external_cta_url')).toContain('UNSAFE_LINK')
  expect(codesOf('javascript://a&nbsp;b/%0aalert(1)', 'external_cta_url')).toContain('UNSAFE_LINK')
  expect(codesOf('https://northside.example/book?a=1&amp;b=2&lt=3', 'external_cta_url')).toEqual([])
  expect(['javascript&colon;go()', '&#91;url=x&#93;'].flatMap((text) => codesOf(text))).toEqual(['MARKUP', 'MARKUP'])
})

test.each([
  ...[
    'Heated seats &amp; sunroof',
    'A&nbsp;good&nbsp;car',
    '134&nbsp;500&nbsp;km',
    'R&amp;D',
    'Smith &ltd',
    'It&#39;s &quot;new&quot;',
  ],
  ...[
    '5&#8211;seater',
    'a&#8226; b',
    '&',
    '&;',
    '&#;',
    '&#0;',
    '&#x;',
    '&#99999999;',
    '&#x110000;',
    '&unknown;',
    '&toString;',
  ],
  ...['kms &lt;average, range &gt;500 km', '&amp;amp; more', 'price $9&comma;990', 'A &copy; 2019 2020'],
])('%s is innocent', (words) => {
  expect(codesOf(`Now here: ${words}`)).toEqual([])
})

test('what a client may write hides nothing that entities hide', () => {
  const codes = (description: string) =>
    check({ vehicle: { source_id: 'a', description } }, ['Dick']).map(({ code }) => code)
  expect(codes('A dick, or D&#105;ck')).toEqual([])
  expect(codes('A dick on 0412&nbsp;345&nbsp;678')).toEqual(['CONTACT_DETAILS'])
  expect(codes('A dick, f&#117;ck')).toEqual(['PROFANITY'])
})

test.each(['&', '&#', '&#0', '&#x0', '&amp;', '&nbsp;', 'a&', '&abcdefg', '&#39;', '&amp'])(
  '2 MB of %j are read in time',
  (unit) => {
    const before = process.cpuUsage()
    withoutEntities(unit.repeat(2_000_000 / unit.length))
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  },
)

test('a row of 2 MB of noughts is read in time', () => {
  const before = process.cpuUsage()
  expect(withoutEntities(`&#${'0'.repeat(2_000_000)}65;`)).toBe('A')
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
})
