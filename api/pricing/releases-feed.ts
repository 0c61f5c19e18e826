import Builder from 'fast-xml-builder'
import type { KnownRelease } from '../releases/timeline.ts'

/** A feed program asks again every few minutes; older releases are in `GET /v1/releases`. */
const LISTED = 50

const WHEN = new Intl.DateTimeFormat('en-AU', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const xml = new Builder({ ignoreAttributes: false, attributeNamePrefix: '@', format: true, suppressEmptyNode: true })

/**
 * Releases, the newest first, as an Atom feed (RFC 4287): an entry for each time that a release came into force. The
 * same releases give the same text. `issuer` is the address of the API, which makes the ids those of one environment.
 */
export function feedOf(releases: readonly KnownRelease[], issuer: string): string {
  const base = issuer.replace(/\/$/, '')
  const starts = releases
    .flatMap(({ release, inForce }) => inForce.map(({ since }) => ({ release, since })))
    .toSorted((a, b) => (a.since < b.since ? 1 : -1))
    .slice(0, LISTED)
  const { host } = new URL(issuer)
  const feed = {
    '@xmlns': 'http://www.w3.org/2005/Atom',
    id: `${base}/v1/releases.atom`,
    title: `Rate releases of ${host}`,
    updated: starts[0]?.since,
    author: { name: host },
    link: { '@rel': 'self', '@type': 'application/atom+xml', '@href': `${base}/v1/releases.atom` },
    entry: starts.map((start) => entryOf(start, base)),
  }
  return `<?xml version="1.0" encoding="utf-8"?>\n${xml.build({ feed })}`
}

function entryOf({ release, since }: { release: string; since: string }, base: string): object {
  const short = release.slice('sha256:'.length, 'sha256:'.length + 12)
  const text =
    `Quotes are priced with release ${release} from ${WHEN.format(new Date(since))} UTC. ` +
    `What changes by it, and when: GET /v1/changes?asKnownAt=${release}`
  return {
    // A release that is put in force again is a new entry.
    id: `${base}/v1/releases/${release}#${since}`,
    title: `Rates in force since ${WHEN.format(new Date(since))} UTC (release ${short})`,
    updated: since,
    link: {
      '@rel': 'alternate',
      '@type': 'application/vnd.driveaway.release+json',
      '@href': `${base}/v1/releases/${release}`,
    },
    content: { '@type': 'text', '#text': text },
  }
}
