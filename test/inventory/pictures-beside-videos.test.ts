import { expect, test } from 'vitest'
import type { Item } from '../../inventory/batch.ts'
import { picturesOf } from '../../inventory/pictures.ts'

const at = (name: string) => `https://img.test/${name}`

/** Paths of the pictures of an item. */
const paths = (item: object): string[] =>
  picturesOf({ vehicle: { source_id: 'v' }, assets: [], ...item } as unknown as Item).map(({ path }) => path)

test.each<[string, object, string[]]>([
  [
    'another source than its `src`',
    { assets: [{ type: 'video', src: at('1'), fallback_src: at('2'), 'data-src': at('3.webm'), lazySrc: at('4') }] },
    ['/assets/0/fallback_src', '/assets/0/lazySrc'],
  ],
  [
    'a `src` in a further object',
    { assets: [{ type: 'video', src: at('1'), still: { src: at('2') }, preview: { type: 'image', src: at('3') } }] },
    ['/assets/0/still/src', '/assets/0/preview/src'],
  ],
  [
    'a `src` below an item that says that it is a document',
    {
      type: 'document',
      vehicle: { src: at('1'), hero_src: at('2'), options: [{ src: at('3') }, { src: at('4.pdf') }] },
    },
    ['/vehicle/src', '/vehicle/hero_src', '/vehicle/options/0/src'],
  ],
  [
    'a `src` of its sources, which is its own',
    { media: [{ type: 'video', src: at('1'), sources: [{ src: at('2') }, { fallback_src: at('3') }] }] },
    ['/media/0/sources/1/fallback_src'],
  ],
])('of a video or document, %s', (_what, item, expected) => {
  expect(paths(item)).toEqual(expected)
})

test.each<[string, boolean]>([
  ['1?w=1&fm=jpg', true],
  ['1.jpg_640x480', true],
  ['1.jpg-large', true],
  ['1.jpg=s1024', true],
  ['1.jpe', true],
  ['1.apng', true],
  ['1.png-guide', false],
  ['1?form=jpg', false],
])('an address that ends like %s is a picture in any field: %j', (name, isPicture) => {
  expect(paths({ vehicle: { main_url: at(name) } })).toEqual(isPicture ? ['/vehicle/main_url'] : [])
})

test('a field for a foto, a screenshot or a snapshot has a picture', () => {
  const vehicle = { foto_url: at('1'), screenshotUrl: at('2'), snapshot: at('3') }
  expect(paths({ vehicle })).toEqual(['/vehicle/foto_url', '/vehicle/screenshotUrl', '/vehicle/snapshot'])
})
