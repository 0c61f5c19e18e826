import fc from 'fast-check'
import { expect, test } from 'vitest'
import { picturesOf } from '../../inventory/pictures.ts'
import type { Asset } from '../../inventory/batch.ts'

const found = (further: object): string[] =>
  picturesOf({ vehicle: { source_id: 'v' }, assets: [{ src: 'a', ...further } as Asset] }).map(({ src }) => src)

/** Whether a browser, on a page of its own, would load a text from another host. */
async function isElsewhere(text: string): Promise<boolean> {
  const url = URL.parse(text, 'https://page.invalid')
  if (!url || url.host === 'page.invalid') return false
  // As browsers do, `fetch` reads the content of a data: URL, or fails.
  if (url.protocol === 'data:') return fetch(url).then(Boolean, () => false)
  return ['https:', 'http:'].includes(url.protocol)
}

test('every text of an asset that a browser would load is a picture, and no other text', async () => {
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
    ',',
    'data:',
  ]
  const further = ['a.example', 'page.invalid', 'image', '.', '..', '%2f', '：', '／', '＼', '。', 'ｈttp']
  const texts = fc.array(fc.constantFrom(...parts, ...further), { maxLength: 6 }).map((each) => each.join(''))
  await fc.assert(
    fc.asyncProperty(fc.oneof(texts, fc.string({ unit: 'binary' })), async (text) => {
      const pictures = (await isElsewhere(text)) ? ['a', text] : ['a']
      expect(found({ thumbnail: text })).toEqual(pictures)
      expect(found({ sizes: [{ large: text }] })).toEqual(pictures)
    }),
    { numRuns: 2_000 },
  )
})

test.each(['Data: from the maker', 'data:', 'DATA: 2026', 'data:image/png;base64#,AA'])(
  '%s has no content that a browser would load',
  (text) => {
    expect(found({ alt: text })).toEqual(['a'])
  },
)

test.each([
  'data:,',
  'data://,',
  'da\nta:image/png;base64,AA',
  ' data:image/svg+xml,%3Csvg/%3E',
  'data: x y,%89PNG',
  'data:image/png?,A',
])('%j is the address of a picture', (text) => {
  expect(found({ alt: text })).toEqual(['a', text])
})
