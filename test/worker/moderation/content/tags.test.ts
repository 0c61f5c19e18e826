import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'
import { findMarkup } from '../../../../worker/moderation/content/markup.ts'

const { check } = createContentModerator()
const codesOf = (description: string) => check({ vehicle: { source_id: 'a', description } }).map(({ code }) => code)
/** A tag may be the last of a text, and is then ended by the page around it. */
const placed = (text: string) => [`A good car ${text} for you`, `A good car ${text}`]

test.each([
  ...[
    '<b title="<" onmouseover=go()>',
    "<b title='>' onmouseover=go()>",
    '<x title="<" onmouseover=go()>',
    '<x a<b onclick=1>',
  ],
  ...[
    '<x a<b style="top:0">',
    '<b<i onclick=go()>',
    '<x <x <x onclick=go()>',
    '<x a="<SALE>" onclick=go()',
    '<p <SALE>',
  ],
  ...['<b title="<">', '<my-element a<b onclick=go()>', '</b <SALE>', '<marquee <', "<x a<b c='>' onclick=go()>"],
])('%s: a sign of a tag in a value or a name ends no tag', (markup) => {
  expect(placed(markup).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
})

test.each([
  ['<b', ' '.repeat(3_000), 'onclick=go()>'],
  ['<x', ' '.repeat(3_000), 'onclick=go()>'],
  ['<p', '\n'.repeat(30_000), '>'],
  ['<x', ' word'.repeat(1_000), ' onclick=go()>'],
  ['<x title="', 'word '.repeat(1_000), '" onclick=go()'],
])('%s is a tag, however much is between it and its attribute', (start, between, end) => {
  expect(placed(`${start}${between}${end}`).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
})

test.each(['marquee', 'select', 'textarea', 'details', 'p', 'b', 'keygen', 'isindex', 'x', 'average', 'S', '/p'])(
  '<%s that the text leaves open is markup when it has an attribute with an effect',
  (name) => {
    for (const attribute of [
      'onfocus=go() autofocus',
      'ONCLICK = "go()"',
      'style=top:0',
      '"onload=go()',
      'title="',
      'href=x',
    ]) {
      expect([attribute, ...placed(`<${name} low ${attribute} `).flatMap(codesOf)]).toEqual([
        attribute,
        'MARKUP',
        'MARKUP',
      ])
    }
  },
)

test.each(['textarea', 'plaintext', 'xmp', 'noscript', 'marquee', 'keygen', 'isindex', '/textarea'])(
  '<%s that the text leaves open swallows what is behind it',
  (name) => {
    expect(placed(`<${name} low`).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
  },
)

test.each([
  ...[
    '<average\uff1e onclick=go()>',
    '<average \ufe65 onclick=go() ',
    '<i>\u0338',
    '<b>\u0338 x',
    '<x onclick=\u0338go()>',
  ],
])('%j is markup as a browser reads it', (markup) => {
  expect(placed(markup).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
  expect(
    check({ vehicle: { source_id: 'a', vin: markup, external_cta_url: `https://x.test/${markup}` } }),
  ).toHaveLength(2)
})

test.each([
  ...[
    '&lt;average x<5 onclick=go()&gt;',
    '&lt;average x&lt;5 onclick&#61;go()',
    '&lt;average x &lt;5 onclick=go()&#62;',
  ],
])('%s is markup for a page that decodes entities twice', (markup) => {
  expect(placed(markup).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
})

test.each([
  ...[
    '<S line> package',
    'an <I Pace>',
    '<Q series>',
    '<B pillar>',
    '<U turn>',
    '<A class>',
    'a <A Class sedan>',
    '&lt;A class&gt;',
    '<U.S. built>',
    '&lt;S line&gt;',
    '<Q5>',
  ],
  ...[
    '< 100,000 km',
    '<3 great car',
    'price <$20k',
    '<<< LOOK >>>',
    '<<<LOOK>>>',
    'A </3 heart',
    '<!! SALE !!>',
    '<Citroën>',
  ],
  ...[
    'kms <average and price <RRP, 5 > 3',
    'kms <average for its age, new tyres and racks - range >500 km',
    '<average km',
  ],
  ...[
    'kms <average -> great',
    '<SALE> style="sporty"',
    'kms <average, incl. onroads = $900',
    'kms <average, uses 7 l/100km >',
  ],
  ...[
    '<S\u200bALE>',
    '<SALE\u00a0NOW>',
    'kms &lt;average, boot &lt;large, range &gt;500',
    '<Joe’s pick>',
    'kms <below average, 18" wheels',
  ],
])('%j is no markup', (words) => {
  expect(placed(words).map((text) => [text, codesOf(text)])).toEqual(placed(words).map((text) => [text, []]))
})

test.each([
  '<s line>',
  '<S>',
  '<S line=x>',
  '<S onclick>',
  '<B hidden>',
  '<A class=x>',
  '<A href>',
  '<A class href>',
  '<A href="/x">',
  '<a class>',
  '<A>',
  '<S/line>',
  '<SALE />',
  '<o:p>',
  '<b.b title=x>',
])('%s is markup, and no model', (markup) => {
  expect(placed(markup).flatMap(codesOf)).toEqual(['MARKUP', 'MARKUP'])
})

test.each([
  ...[
    '<x "',
    '<x a="',
    "<x '<",
    '<x ',
    '<x a>',
    '<x',
    '<',
    '</x ',
    '<x on ',
    '<x onabc ',
    'onabc',
    '= ',
    '<!',
    '<S a',
    '&lt;x "',
  ],
  ...['&lt;x', '&lt;x&gt;', '<x&gt;', '<x a<b>', 'style '],
])('2 MB of %j are read in time', (unit) => {
  for (const text of [unit.repeat(2_000_000 / unit.length), `<x ${unit.repeat(2_000_000 / unit.length)}`]) {
    const before = process.cpuUsage()
    findMarkup(text)
    // A search from each sign to the end of the text takes hours.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  }
})
test.each([' ', 'on', 'a', '>'.repeat(2), '= '])('a tag with 2 MB of %j in it is read in time', (unit) => {
  const before = process.cpuUsage()
  findMarkup(`<x${unit.repeat(2_000_000 / unit.length)}<y onclick`)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
})
