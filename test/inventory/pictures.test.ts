import fc from 'fast-check'
import { expect, test } from 'vitest'
import { picturesOf } from '../../inventory/pictures.ts'
import type { Asset } from '../../inventory/batch.ts'

const found = (further: object): string[] =>
  picturesOf({ vehicle: { source_id: 'v' }, assets: [{ src: 'a', ...further } as Asset] }).map(({ src }) => src)

/** Whether a browser, on a page of its own, would load a text from another host. */
function isElsewhere(text: string): boolean {
  const url = URL.parse(text, 'https://page.invalid')
  if (!url || url.host === 'page.invalid') return false
  return ['https:', 'http:', 'data:'].includes(url.protocol)
}

test('every text of an asset that a browser would load is a picture, and no other text', () => {
  const parts = [
    'http',
    'https',
    'data',
    'ftp',
    ':',
    '/',
    '//',
    '\\',
    '\\\\',
    '\t',
    '\n',
    ' ',
    '\0',
    '@',
    '?',
    '#',
    '[::1]',
  ]
  const further = ['a.example', 'page.invalid', 'image', '.', '..', '%2f', '：', '／', '＼', '。', 'ｈttp']
  const texts = fc.array(fc.constantFrom(...parts, ...further), { maxLength: 6 }).map((each) => each.join(''))
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
      expect(found({ thumbnail: text })).toEqual(isElsewhere(text) ? ['a', text] : ['a'])
      expect(found({ sizes: [{ large: text }] })).toEqual(isElsewhere(text) ? ['a', text] : ['a'])
    }),
    { numRuns: 2_000 },
  )
})
