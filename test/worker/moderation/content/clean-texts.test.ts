import { expect, test } from 'vitest'
import { createCleanTexts } from '../../../../worker/moderation/content/clean-texts.ts'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

test('a text that is clean as a code is still refused where people read it', () => {
  const { check } = createContentModerator()
  const phone = '0491 570 156'
  expect(check({ vehicle: { source_id: 'a', stock_code: phone } })).toEqual([])
  expect(check({ vehicle: { source_id: 'b', colour: phone } })).toMatchObject([{ path: '/vehicle/colour' }])
})

test('a refused text is refused again', () => {
  const { check } = createContentModerator()
  const item = { vehicle: { source_id: 'a', colour: '<b>red</b>' } }
  expect(check(item)).toMatchObject([{ code: 'MARKUP' }])
  expect(check(item)).toMatchObject([{ code: 'MARKUP' }])
})

test('a long text is remembered for its kind, and texts that differ in a lone surrogate are not mistaken for each other', () => {
  const clean = createCleanTexts()
  const long = (end: string) => `${'x'.repeat(65)}${end}`
  clean.add('name', long('a'))
  expect([clean.has('name', long('a')), clean.has('prose', long('a')), clean.has('name', long('b'))]).toEqual([
    true,
    false,
    false,
  ])
  clean.add('prose', long('\ufffd'))
  expect([clean.has('prose', long('\ufffd')), clean.has('prose', long('\ud83d'))]).toEqual([true, false])
})

test.each([
  ['short', 20_000, ''],
  ['long', 50_000, 'x'.repeat(65)],
])('only so many %s texts are remembered, and of those that are asked for none is forgotten', (_, most, end) => {
  const clean = createCleanTexts()
  clean.add('prose', `Kia${end}`)
  clean.add('prose', `Lada${end}`)
  for (let number = 0; number < most; number += 1) {
    clean.add('prose', `stock ${number}${end}`)
    if (number % 1_000 === 0) expect(clean.has('prose', `Kia${end}`)).toBe(true)
  }
  expect([clean.has('prose', `Kia${end}`), clean.has('prose', `Lada${end}`)]).toEqual([true, false])
  expect(clean.has('prose', `stock ${most - 1}${end}`)).toBe(true)
})

/** An item with one text in a field, which counts how often the field is read. */
function counted(text: string, field = 'description') {
  const counts = { reads: 0 }
  const read = () => {
    counts.reads += 1
    return text
  }
  const vehicle = Object.defineProperty({ source_id: 'a' }, field, { get: read, enumerable: true })
  return { item: { vehicle }, json: JSON.stringify({ vehicle: { source_id: 'a', [field]: text } }), counts }
}

test('an item that was clean is recognized by its JSON, and not read again', () => {
  const { check } = createContentModerator()
  const { item, json, counts } = counted('One owner.')
  expect(check(item, [], json)).toEqual([])
  expect(counts.reads).toBe(1)
  expect(check(item, ['other'], json)).toEqual([])
  expect(counts.reads).toBe(1)
  expect(check(item, [], `${json} `)).toEqual([])
  expect(counts.reads).toBe(2)
})

test.each([
  ['a fault', counted('Call 0412 345 678'), ['other'], 1],
  ['a flag', counted('Wanker’s Garage', 'dealer'), ['other'], 1],
  ['a word that one client may use', counted('a wanker'), ['wanker'], 0],
])('an item with %s is checked each time', (_what, { item, json, counts }, words, count) => {
  const { check } = createContentModerator()
  expect(check(item, words, json)).toHaveLength(count)
  expect(check(item, words, json)).toHaveLength(count)
  expect(check(item, [], json)).toHaveLength(1)
  expect(counts.reads).toBe(3)
})
