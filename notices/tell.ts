import { changesOf, type FigureChange } from '#rates/diff/figures.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { digestOf } from '#rates/published/canonical.ts'
import { bounded } from './bounded.ts'
import type { Notice } from './notice.ts'
import type { Announcement } from './outbox.ts'
import type { Recipient } from './recipient.ts'

/** What is published now. */
export type Published = Pick<Announcement, 'release' | 'sets'>

export interface Telling {
  /** What the place of the release is called. */
  environment: string
  /** The calendar day, ISO, in an IANA time zone. */
  today: (timeZone: string) => string
}

/** A notice of what is published now for each recipient whom it concerns; pure but for the day, which marks corrections. */
export function* noticesOf(
  announced: Announcement,
  published: Published,
  recipients: readonly Recipient[],
  { environment, today }: Telling,
): Generator<Notice> {
  const sets = [...published.sets, ...announced.sets]
  const changes = toldChanges(announced.sets, published.sets, today)
  const told = new Map<string, Told>()
  for (const { client, to, pricingCodes } of recipients) {
    const codes = pricingCodes && withImports(pricingCodes, sets)
    const key = codes?.join(' ') ?? ''
    const own = told.get(key) ?? toldOf(changes.filter((one) => codes?.includes(one.pricingCode) ?? true))
    told.set(key, own)
    if (own.count === 0) continue
    const digest = hex({ client, follows: announced.number, changes: own.digest })
    yield { digest, client, to, environment, release: published.release, ...own.bounded }
  }
}

/** What all recipients of the same pricing codes are told. */
interface Told {
  count: number
  digest: string
  bounded: ReturnType<typeof bounded>
}

function toldOf(changes: readonly FigureChange[]): Told {
  // Whether a day is past may change between two tries to tell of it; what is told does not.
  const timeless = changes.map(({ correction: _, ...change }) => change)
  return { count: changes.length, digest: hex(timeless), bounded: bounded(changes) }
}

/** What a grade or a source of a figure is, is no change of it; in the order of effective dates. */
function toldChanges(
  old: readonly RateSetSpec[],
  now: readonly RateSetSpec[],
  today: Telling['today'],
): FigureChange[] {
  const zones = new Map([...old, ...now].map(({ pricingCode, timeZone }) => [pricingCode, timeZone]))
  return changesOf(old, now, '')
    .filter(({ about }) => about !== 'evidence')
    .map((change) => ({ ...change, correction: change.from < today(zones.get(change.pricingCode) ?? 'UTC') }))
    .sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))
}

function withImports(pricingCodes: readonly string[], sets: readonly RateSetSpec[]): string[] {
  const own = sets.filter(({ pricingCode }) => pricingCodes.includes(pricingCode))
  return [...new Set([...pricingCodes, ...own.flatMap(({ imports }) => imports ?? [])])].sort()
}

const hex = (value: unknown) => digestOf(value).replace('sha256:', '')
