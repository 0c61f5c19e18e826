import { expect, test } from 'vitest'
import type { Item } from '../../../../inventory/batch.ts'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()

const described = (description: string): Item => ({ vehicle: { source_id: 'a', description } })
const codesOf = (description: string) => check(described(description)).map(({ code }) => code)

test.each([
  ['Scunthorpe, Penistone, Essex, Sussex and Middlesex', 'towns with a profane word in them'],
  ['Virtual cockpit, glass roof, lane assist, Bass speakers, assorted brake assy', 'equipment'],
  ['Cummins diesel, Wankel rotary, Dodge Scat Pack, Tesla S3XY buttons, Hooker headers', 'makers'],
  ['Civic FK8 with 455 hp, A45 S, S55 engine, Galaxy A55, 19in wheels', 'models that read as letters'],
  ['Ignition retard under load, exhaust retarder, fire retardant', 'what is done to an engine'],
  ['Sold in Dickson by Dick Johnson, near Van Dyke Road; a Boobook owl on the bonnet', 'names'],
  ['V 8   S S sedan, A B S, P S and A C', 'letters that stand alone'],
])('%s: %s pass', (description) => {
  expect(check(described(description))).toEqual([])
})

test.each([
  'a shitbox',
  'sh1t',
  '5h1t',
  'f u c k',
  'F.U.C.K.',
  'fuuuuck',
  'f*ck',
  'ｆｕｃｋ',
  'fu\u200bck',
  'a$$hole',
  'poofters',
  'f\u0316u\u0316c\u0316k',
  `f${'\u0301\u0316'.repeat(50)}uck`,
])('%s is profane, however it is written', (description) => {
  expect(codesOf(`Driven by ${description} of a man`)).toEqual(['PROFANITY'])
})

// The forms are those of the ACMA's numbering plan; the numbers are among those it keeps for fiction.
test.each([
  ...[
    '0491 570 156',
    '0491-570-156',
    '04.91.57.01.56',
    '0491570156',
    'O491 570 156',
    '(03) 5550 0123',
    '+61 3 5550 0123',
  ],
  ...['+61 (0)491 570 156', '61491570156', '0011 61 491 570 156', '1800 975 707', '1300 975 707', 'call 13 10 05'],
  ...['Ph: 5550 0123', 'call Joe on 5550 0123', '＋６１ ４９１ ５７０ １５６', '+1 650 555 0100'],
])('%s is a phone number', (number) => {
  expect(codesOf(`For more ${number} any day`)).toEqual(['CONTACT_DETAILS'])
})

test.each([
  'Only 130000 km, or 134,500 km, serviced at 10000 20000 30000 40000 km',
  'Built 03.11.2024 12:30, complied 2024-11-03 09:45, registered to 01-02-2027',
  'Years 2015 2016 2017 2018 2019 and engines 1800 2000 2500 2800',
  'VIN JN1TANT31A0412345, engine no 2345 6789, price $0491570156.00',
  'Wireless phone charging, 3500 kg towing, 0-100 in 3.9 seconds',
  'Stock 13 10 05 of our range',
])('%s: no phone number', (description) => {
  expect(check(described(description))).toEqual([])
})

test.each([
  ...[
    'joe@northside.example.com',
    'joe @ northside . com',
    'joe at northside dot com dot au',
    'joe[at]northside[dot]com',
  ],
  ...[
    'joe (at) northside.com.au',
    'northside.com.au',
    'NORTHSIDE.COM',
    'northside dot com dot au',
    'www.northside.cars',
  ],
  ...['https://northside.example/x?y', 'ftp://files.example.org', 'mailto:joe@northside.example'],
])('%s is an address', (address) => {
  expect(codesOf(`For more ${address} any day`)).toEqual(['CONTACT_DETAILS'])
})

test('a full stop without a space behind it makes no address', () => {
  expect(
    check(described('Great car.It has 19in.alloys and 4WD.Auto at a good price.Net of fees, e.g.no extras')),
  ).toEqual([])
})

test.each([
  '<b>bold</b>',
  '<script',
  '<img src=x onerror=go()',
  '&lt;script&gt;',
  '&#x3c;b>',
  ...['&lt;b>', '&lt;/b', '&lt;!--', '&ltscript', '&#060;a', '&lt; &lt;script', '&lt; <b>'],
  ...[
    '&lt;a href=x&gt;',
    '&lt;A href',
    '&lt;average &lt;a',
    '&lt;average onclick=x',
    '&lt;low kms onclick=x&gt;',
    '&lt;div',
  ],
  ...[
    '&lt;average onclick&#61;x',
    '&lt;average onclick&#x03D;x',
    '&lt;scr&#105;pt',
    '&lt;average/onload',
    '&lt;my-tag',
  ],
  ...['&lt;SVG/x', '&lt;h1', `&lt;average ${'long '.repeat(600)} onclick=x`, '&lt;center&#62;', '&lt;x&gt;<b>'],
  '[url=x]y[/url]',
  '<!-- x',
])('%s is markup', (markup) => {
  expect(codesOf(`A good car ${markup} for you`)).toEqual(['MARKUP'])
})

test('less than a number, an arrow, a heart and an ampersand are no markup', () => {
  expect(check(described('Range <500 km, 5 <10 >3, -> seats & doors, A &amp; B, <3 it, consumption<average'))).toEqual(
    [],
  )
  expect(check(described('kms &lt; average for its age, &lt; any, &#60; a, &lt\ttwo, &#x3c; /b'))).toEqual([])
  const glued = [
    '&lt;average km',
    'kms &lt;average',
    '&lt;Average km, it&#39;s good',
    '&#60;average.',
    '&lt;avg &amp; low',
  ]
  const others = [
    '&lt;half price&nbsp;now',
    '&lt;low kms&gt;',
    '&lt;SALE&gt;',
    '&lt;average, range &gt;500 km',
    '&lt;RRP',
  ]
  expect([...glued, ...others].filter((text) => check(described(`Good car ${text}`)).length > 0)).toEqual([])
})

test('the path leads to the text, whatever the field, and the message names what was found', () => {
  const item = {
    vehicle: {
      source_id: 'a',
      tags: [{ label: 'Demo' }, { label: 'Call 0491 570 156' }],
      custom_fields: [{ name: 'Note', value: 'what a shitbox' }],
      'dealer/notes': { inner: ['fine', '<i>x</i>'] },
    },
    location: { name: 'joe@northside.com.au' },
  }
  expect(check(item).map(({ path, code, message }) => [path, code, message])).toEqual([
    ['/vehicle/tags/1/label', 'CONTACT_DETAILS', 'The text has a phone number: “0491 570 156”.'],
    [
      '/vehicle/custom_fields/0/value',
      'PROFANITY',
      'The text has a profane word: “shitbox”. If it is a name, it can be allowed (allowedWords).',
    ],
    ['/vehicle/dealer~1notes/inner/1', 'MARKUP', 'The text has markup: “<i>”.'],
    ['/location/name', 'CONTACT_DETAILS', 'The text has an e-mail address: “joe@northside.com.au”.'],
  ])
})

test('codes, keys and addresses of pictures may spell anything, but are no place for markup', () => {
  const vehicle = {
    source_id: '0491570156',
    vin: 'ASS0491570156',
    option_codes: ['ASS', 'FUK', '13FAG'],
    make_code: 'CUM',
  }
  const assets = [{ type: 'image', src: 'https://img.northside.com.au/shit.jpg' }]
  expect(check({ vehicle, assets })).toEqual([])
  expect(check({ vehicle: { ...vehicle, vin: '<b>x</b>' } })).toMatchObject([{ path: '/vehicle/vin', code: 'MARKUP' }])
})

test('an address in an asset that is judged as a picture is no prose, whatever its field is called', () => {
  const at = (name: string) => `https://img.northside.com.au/0491570156/${name}-shit.jpg`
  const further = {
    thumbnail: at('t'),
    large: at('l'),
    poster: ` ${at('p')}\n`,
    name: at('n'),
    sizes: [{ small: at('s') }],
  }
  expect(check({ vehicle: { source_id: 'a' }, assets: [{ type: 'image', src: at('s'), ...further }] })).toEqual([])
  expect(
    check({ vehicle: { source_id: 'a' }, assets: [{ src: at('s'), href: '//img.northside.com.au/x.jpg' }] }),
  ).toEqual([])
})

test.each([
  [{ alt: 'Call 0491 570 156' }, '/assets/0/alt', 'CONTACT_DETAILS'],
  [{ alt: 'see www.northside.com.au' }, '/assets/0/alt', 'CONTACT_DETAILS'],
  [{ alt: 'northside.com.au/x.jpg' }, '/assets/0/alt', 'CONTACT_DETAILS'],
  [{ alt: 'https://joes-cars.com.au/call-0412345678' }, '/assets/0/alt', 'CONTACT_DETAILS'],
  [{ alt: 'https://img.test/x.jpg what a shitbox' }, '/assets/0/alt', 'PROFANITY'],
  [{ sizes: { large: 'https://img.test/<b>x</b>' } }, '/assets/0/sizes/large', 'MARKUP'],
  [{ type: 'Video', homepage: 'https://www.northside.com.au/' }, '/assets/0/homepage', 'CONTACT_DETAILS'],
])('what is no address of a picture stays prose: %j', (further, path, code) => {
  const assets = [{ src: 'https://img.test/1.jpg', ...further }]
  expect(check({ vehicle: { source_id: 'a', assets: [{ thumbnail: 'x' }] }, assets })[0]).toMatchObject({ path, code })
})

test('an address outside the assets of the item is a contact detail, unless it is judged as a picture', () => {
  const assets = [{ small: 'https://img.northside.com.au/x' }]
  expect(check({ vehicle: { source_id: 'a', assets } })).toMatchObject([
    { path: '/vehicle/assets/0/small', code: 'CONTACT_DETAILS' },
  ])
  const images = ['https://img.northside.com.au/x', 'https://img.northside.com.au/x and more']
  expect(check({ vehicle: { source_id: 'a', images } })).toMatchObject([
    { path: '/vehicle/images/1', code: 'CONTACT_DETAILS' },
  ])
  const [first, second] = ['https://img.northside.com.au/x', 'https://img.northside.com.au/y']
  const lists = { srcset: `${first} 1x, ${second} 2x`, photos: `${first}\n${second}`, gallery: [first], hero: second }
  expect(check({ vehicle: { source_id: 'a', ...lists } })).toEqual([])
  for (const photos of [`${first}, ${second} 0412 345 678`, `Joe ${first}`])
    expect(check({ vehicle: { source_id: 'a', photos } })).toMatchObject([{ code: 'CONTACT_DETAILS' }])
  const poster = 'https://www.northside.com.au/x.jpg'
  expect(check({ vehicle: { source_id: 'a' }, assets: [{ type: 'Video', src: 'https://v.test/1', poster }] })).toEqual(
    [],
  )
})

test('a link that people follow is http or https', () => {
  const linking = (external_cta_url: string): Item => ({ vehicle: { source_id: 'a', external_cta_url } })
  expect(check(linking('https://northside.com.au/book?x=1'))).toEqual([])
  expect(check(linking('java\nscript:alert(1)'))).toMatchObject([
    { path: '/vehicle/external_cta_url', code: 'UNSAFE_LINK' },
  ])
  expect(check(linking('data:text/html,x'))).toMatchObject([{ code: 'UNSAFE_LINK' }])
})

test('at most 20 faults, paths and messages that can be kept, whatever the item', () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, n) => [`${'<b>'.repeat(2_000)}${n}`, '<b>'.repeat(3_000)]),
  )
  const faults = check({ vehicle: { source_id: 'a', deep: { many } } })
  expect(faults).toHaveLength(20)
  expect(Math.max(...faults.map(({ path, message }) => Math.max(path.length, message.length)))).toBeLessThanOrEqual(300)
  expect(faults.every(({ message }) => message.length <= 200)).toBe(true)
  expect(faults[0]?.path).toBe('/vehicle/deep/many')
})

test('half a million marks without a letter between them do not keep the worker for minutes', () => {
  for (const marks of ['\u0301\u0316', '\uff9e\u0301', '\u0344\u0316', '\u{1d165}\u0301']) {
    const before = process.cpuUsage()
    expect(check(described(marks.repeat(500_000 / marks.length)))).toEqual([])
    // Sorting them takes one to four minutes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  }
})

test('behind such marks, and between its letters, a profane word is found', () => {
  const [marks, voicing] = ['\u0301\u0316'.repeat(250_000), '\uff9e\u0301'.repeat(250_000)]
  expect([`${marks} fuck`, `f${marks}uck`, `${voicing}fuck`, `fuc${voicing}k`].map(codesOf)).toEqual(
    Array.from({ length: 4 }, () => ['PROFANITY']),
  )
})

test('letters with the marks of their language are read as before', () => {
  const texts = ['Ti\u00ea\u0301ng Vi\u1ec7t', '\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd', 'Cafe\u0301 Racer']
  expect(texts.flatMap((text) => check(described(text)))).toEqual([])
})

test.each([
  ...['a', 'assa ', '+6', '<a ', '&lt;ab ', '[url', 'a@a ', '0 1 1 2 ', '//', 'call ', '\ufdfa', 'x at x-x.x '],
  ...['\u0301\u0316', '\uff9e\u0301', 'a\u0301\u0316'],
])('time grows with the length of the text alone: %s, over and over', (unit) => {
  const item = (length: number) => described(unit.repeat(length / unit.length))
  // Of this process: a machine that is busy with something else says nothing of the rules.
  const time = (length: number) => {
    const before = process.cpuUsage()
    check(item(length))
    return process.cpuUsage(before).user / 1_000
  }
  time(10_000)
  // Ten times the length in a hundred times the time would be the square of it.
  expect(time(200_000)).toBeLessThan(40 * Math.max(time(20_000), 20))
})
