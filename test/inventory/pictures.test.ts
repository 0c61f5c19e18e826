import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLogo, picturesOf } from '../../inventory/pictures.ts'
import type { Asset, Item } from '../../inventory/batch.ts'

const found = (further: object): string[] =>
  picturesOf({ vehicle: { source_id: 'v' }, assets: [{ src: 'a', ...further } as Asset] }).map(({ src }) => src)

/** Whether a browser, on a page of its own, with TLS or without, would load a text from another host. */
const isElsewhere = async (text: string): Promise<boolean> =>
  (await isElsewhereOf('https://page.invalid', text)) || isElsewhereOf('http://page.invalid', text)

async function isElsewhereOf(page: string, text: string): Promise<boolean> {
  const url = URL.parse(text, page)
  if (!url || url.host === 'page.invalid') return false
  // As browsers do, `fetch` reads the content of a data: URL, or fails.
  if (url.protocol === 'data:') return fetch(url).then(Boolean, () => false)
  return ['https:', 'http:'].includes(url.protocol)
}

const HAS_FURTHER = /\S[\s,;|]+(?:https?:|data:|[\\/]{2})/i

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
      // One with a further address in it is read in more ways, and is always one of them itself.
      if (HAS_FURTHER.test(text)) {
        expect(found({ thumbnail: text })).toEqual(expect.arrayContaining(pictures))
        return
      }
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
  'https:host.test/1',
  'HTTPS:/host.test/1',
  'http:host.test/1',
])('%j is the address of a picture', (text) => {
  expect(found({ alt: text })).toEqual(['a', text])
})

const at = (name: string) => `https://img.test/${name}`

test.each<[object, string[]]>([
  [{ vehicle: { image_src: at('1') } }, ['/vehicle/image_src']],
  [
    { vehicle: { image_url: at('1'), heroImage: at('2'), 'photo-1': at('3') } },
    ['/image_url', '/heroImage', '/photo-1'],
  ],
  [{ vehicle: { images: [{ src: at('1') }, { url: at('2'), alt: at('3') }] } }, ['/images/0/src', '/images/1/url']],
  [{ vehicle: { photo_code: at('1'), image_id: at('2') } }, ['/photo_code', '/image_id']],
  [
    { media: [{ src: at('1') }, { type: 'video', src: at('2'), poster_url: at('3') }] },
    ['/media/0/src', '/1/poster_url'],
  ],
  [
    { vehicle: { imageurl: at('1'), IMAGEURLS: [at('2')], logolink: at('3'), curl: at('4') } },
    ['/imageurl', '/IMAGEURLS/0', '/logolink'],
  ],
  [
    {
      media: [
        { type: 'Photo', href: at('1'), alt: at('2') },
        { type: 'tour', href: at('3') },
      ],
    },
    ['/media/0/href'],
  ],
  [{ location: { logo_url: at('1'), name: 'Logo' } }, ['/location/logo_url']],
  [
    { vehicle: { tags: [at('a.JPG'), at('b.webp?w=1'), at('x?f=c.png '), at('d')] } },
    ['/tags/0', '/tags/1', '/tags/2'],
  ],
  [{ vehicle: { note: 'data:image/png;base64,AA', external_cta_url: at('1.jpg') } }, ['/vehicle/note']],
  [
    { vehicle: { url: at('1'), video_src: at('2'), brochure_src: at('3'), image_title: at('4'), stock_id: at('5') } },
    [],
  ],
  [{ vehicle: { description: 'See 1.jpg: a photo/picture', image: 'front.jpg', images: ['', 'none'] } }, []],
  [{ assets: [{ type: 'video', src: at('1'), poster: at('2'), href: at('3') }] }, ['/assets/0/poster']],
  [
    { assets: [{ type: 'Document', src: at('1.jpg'), pages: [{ thumbnail: at('2') }] }] },
    ['/assets/0/pages/0/thumbnail'],
  ],
  [
    {
      vehicle: {
        hero: at('1'),
        hero_url: at('2'),
        heroUrl: at('3'),
        hero_id: at('4'),
        cover: at('5'),
        cover_url: at('6'),
        banner: at('7'),
      },
    },
    ['/hero', '/hero_url', '/heroUrl', '/hero_id', '/cover', '/cover_url', '/banner'],
  ],
  [
    {
      gallery: [{ url: at('1') }, { type: 'exterior', url: at('2') }, at('3')],
      vehicle: { carousel: [at('4')], slideshow: { slides: [{ file: at('5') }] } },
    },
    ['/gallery/0/url', '/gallery/1/url', '/gallery/2', '/carousel/0', '/slideshow/slides/0/file'],
  ],
  [
    {
      gallery: [
        { type: 'tour', url: at('1') },
        { video_url: at('2') },
        { url: at('3.mp4?x=1') },
        { url: 'https://www.youtube.com/watch?v=1' },
      ],
    },
    [],
  ],
  [
    {
      hero: { url: at('1'), cta_url: at('2'), title: at('3') },
      media: [{ url: at('4') }, { type: 'video', url: at('5') }, { type: 'link', url: at('6') }],
    },
    ['/hero/url', '/media/0/url'],
  ],
  [
    {
      assets: [
        { type: 'video', src: at('1'), poster: { src: at('2') }, thumbnails: [{ src: at('3.jpg'), width: 640 }] },
      ],
      vehicle: {
        media: [{ type: 'video', url: at('4'), poster: { src: at('5') }, sources: [{ src: at('6') }] }],
        brochure: { type: 'document', url: at('7'), cover_image: { src: at('8') } },
      },
    },
    [
      ...['/vehicle/media/0/poster/src', '/vehicle/brochure/cover_image/src'],
      ...['/assets/0/poster/src', '/assets/0/thumbnails/0/src'],
    ],
  ],
  [
    {
      vehicle: { 'Image URL': at('1'), 'photo.large': at('2') },
      assets: [{ type: 'video', src: at('3'), srcset: at('4') }],
    },
    ['/vehicle/Image URL', '/vehicle/photo.large', '/assets/0/srcset'],
  ],
  [{ vehicle: { social_media: at('1'), warranty_cover_url: at('2'), gallery_url: at('3'), tonneau_cover: 'a/b' } }, []],
  [
    {
      vehicle: {
        extra: [
          { type: 'image/jpeg', url: at('1') },
          { type: 'video/mp4', src: at('2') },
          { type: 'application/pdf', src: at('3') },
          { type: 'application/octet-stream', src: at('4') },
        ],
      },
    },
    ['/extra/0/url', '/extra/3/src'],
  ],
  [
    {
      vehicle: {
        listing_id: at('1.jpg;v=1'),
        a_url: at('2.jpg!large'),
        b_url: at('3.png@2x'),
        c_url: at('4.JPG:large?x=1'),
        d_url: at('5.jpg/x'),
        e_url: at('6.jpgs'),
      },
    },
    ['/listing_id', '/a_url', '/b_url', '/c_url'],
  ],
])('pictures in fields that senders invent: %j', (item, paths) => {
  const whole = { ...item, vehicle: { source_id: 'v', ...('vehicle' in item ? (item.vehicle as object) : {}) } }
  const found = picturesOf(whole as Item).map(({ path }) => path)
  expect(found.map((path, index) => path.endsWith(paths[index] ?? '?'))).toEqual(paths.map(() => true))
})

test('a name that is too long for a path makes no other picture a logo', () => {
  for (const below of [{ vehicle: { powered_by_logo_src: at('1') } }, { powered_by_logo_src: at('1') }]) {
    const item = { vehicle: { source_id: 'v' }, ['n'.repeat(300)]: below } as unknown as Item
    expect(picturesOf(item)).toMatchObject([{ src: at('1') }])
    expect(picturesOf(item).some(isLogo)).toBe(false)
  }
})

const sourcesOf = (vehicle: object): string[] =>
  picturesOf({ vehicle: { source_id: 'v', ...vehicle } } as Item).map(({ src }) => src)

test.each<[object, string[]]>([
  [{ srcset: `${at('1')} 1x, ${at('2')} 2x` }, ['1', '2']],
  [{ image_srcset: `${at('w_3,h_4/1')} 640w,\n  ${at('2')} 1280w,` }, ['w_3,h_4/1', '2']],
  [{ srcSet: `${at('1')} 1.5x` }, ['1']],
  [{ srcset: `small 1x, ${at('2')} 2x` }, ['2']],
  ...[', ', ',', '|', ' | ', ';', ' ', '\n', ' ,; '].map((gap): [object, string[]] => [
    { images: [at('1'), at('2')].join(gap) },
    ['1', '2'],
  ]),
  [{ images: [at('1'), '', at('1')].join(',') }, ['1']],
  [{ images: `data:image/png;base64,//8A ${at('1')}` }, ['data:image/png;base64,//8A', '1']],
])('each address of a list in one text is a picture: %j', (vehicle, expected) => {
  expect(sourcesOf(vehicle)).toEqual(expected.map((name) => (name.startsWith('data:') ? name : at(name))))
})

test('a text that may be one address, or has more in it than addresses, is judged whole too', () => {
  const [pair, sentence] = [`${at('1')} ${at('2')}`, `${at('1')} and ${at('2')}`]
  expect(sourcesOf({ image_src: pair })).toEqual([pair, at('1'), at('2')])
  expect(sourcesOf({ images: sentence })).toEqual([sentence, `${at('1')} and`, at('2')])
  expect(sourcesOf({ images: at('my photo, front.jpg') })).toEqual([at('my photo, front.jpg')])
  expect(found({ srcset: `${at('1')} 1x, ${at('2')} 2x`, note: `from ${at('3')}` })).toEqual(['a', at('1'), at('2')])
})

test('a text of very many parts has more pictures than an item may have, and is read in time', () => {
  const parts = { ' //a': 101, ', https:': 101, [' '.repeat(1_000)]: 1, ' 1w': 2, 'x,': 1 }
  for (const [part, count] of Object.entries(parts)) {
    const before = process.cpuUsage()
    expect(sourcesOf({ images: at('1') + part.repeat(2_000_000 / part.length) })).toHaveLength(count)
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000)
  }
})
