import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { feedOf } from '../../../api/pricing/releases-feed.ts'
import type { KnownRelease } from '../../../api/releases/timeline.ts'

interface Entry {
  id: string
  title: string
  updated: string
  link: { '@href': string; '@type': string }
  content: { '#text': string }
}
interface Feed {
  '@xmlns': string
  id: string
  title: string
  updated: string
  author: { name: string }
  entry: Entry[]
}

/** A feed as a feed program reads it. */
function read(text: string): Feed {
  expect(XMLValidator.validate(text)).toBe(true)
  const options = { ignoreAttributes: false, attributeNamePrefix: '@', isArray: (name: string) => name === 'entry' }
  return (new XMLParser(options).parse(text) as { feed: Feed }).feed
}

const ISSUER = 'https://pricing.example'
const release = (digit: string, ...since: string[]): KnownRelease => ({
  release: `sha256:${digit.repeat(64)}`,
  inForce: since.map((each) => ({ since: each })),
  isCurrent: false,
})

test('a release that was put in force again is a new entry at the top, and keeps its old one', () => {
  const feed = read(
    feedOf(
      [release('a', '2026-03-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'), release('b', '2026-04-01T00:00:00.000Z')],
      ISSUER,
    ),
  )
  expect(feed.entry.map(({ updated }) => updated.slice(0, 7))).toEqual(['2026-05', '2026-04', '2026-03'])
  expect(feed.updated).toBe('2026-05-01T00:00:00.000Z')
  expect(new Set(feed.entry.map(({ id }) => id)).size).toBe(3)
  expect(feed.entry[0]!.link['@href']).toBe(feed.entry[2]!.link['@href'])
})

// RFC 4287, 4.1.1 and 4.1.2: what a feed and an entry must have; 4.2.6: an id is an absolute IRI.
test('the feed has all that Atom asks for, and its ids are those of this environment', () => {
  const feed = read(feedOf([release('a', '2026-03-01T00:00:00.000Z')], `${ISSUER}/`))
  expect(feed['@xmlns']).toBe('http://www.w3.org/2005/Atom')
  expect([feed.id, feed.author.name]).toEqual([`${ISSUER}/v1/releases.atom`, 'pricing.example'])
  const [entry] = feed.entry
  const address = `${ISSUER}/v1/releases/sha256:${'a'.repeat(64)}`
  expect([entry!.id, entry!.link['@href']]).toEqual([`${address}#2026-03-01T00:00:00.000Z`, address])
  expect(entry!.title).toMatch(/^Rates in force since 1 March 2026 at 12:00.am UTC \(release a{12}\)$/)
  expect(entry!.content['#text']).toContain(`asKnownAt=sha256:${'a'.repeat(64)}`)
})

test('the feed lists fifty entries, the newest ones', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n)).toISOString()
  const { entry } = read(feedOf([release('a', ...Array.from({ length: 60 }, (_, n) => day(n + 1)))], ISSUER))
  expect([entry.length, entry[0]!.updated, entry.at(-1)!.updated]).toEqual([50, day(60), day(11)])
})

test('what is not text for XML is escaped', () => {
  const feed = feedOf([release('&<', '2026-03-01T00:00:00.000Z')], ISSUER)
  expect(read(feed).entry).toHaveLength(1)
})
