import type { FigureChange } from '#rates/diff/figure-change.ts'
import { changesOf } from '#rates/diff/figures.ts'
import { withFollowers } from '#rates/diff/followers.ts'
import { yearDates } from '#rates/engine/dates.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { digestOf } from '#rates/published/canonical.ts'
import { afterPostponed } from './after-postponed.ts'
import { bounded } from './bounded.ts'
import { withCorrections } from './corrections.ts'
import type { Notice, Replaced } from './notice.ts'
import type { Announcement } from './outbox.ts'
import type { Recipient } from './recipient.ts'
import { forReaders } from '#rates/readers/reader-words.ts'
import { setLabels } from '#rates/readers/set-labels.ts'
import { toldOnce } from './told-once.ts'
import { wholeCases } from './whole-cases.ts'

/** What is currently published. */
export type Published = Pick<Announcement, 'release' | 'sets'> & Partial<Pick<Announcement, 'number'>>

export interface Telling {
  /** Name of the environment of the release. */
  environment: string
  /** The calendar day, ISO, in an IANA time zone. */
  today: (timeZone: string) => string
  /** ISO; absent in a preview. */
  issuedAt?: string
}

/** Writes the notice of a recipient; undefined when no change concerns the recipient. */
export type Writer = (recipient: Omit<Recipient, 'to'>, replaces?: Replaced) => Notice | undefined

export interface NoticeWriter {
  write: Writer
  /** All changes announced to any recipient. */
  all: {
    changes: readonly FigureChange[]
    names: Readonly<Record<string, string>>
    lastDays: Readonly<Record<string, string>>
  }
}

/**
 * Writes notices about what is published now, for recipients who know an earlier announcement. Pure except for the day,
 * which marks corrections. Changes are computed once for all recipients of the same pricing codes.
 */
export function noticeWriter(known: Announcement, published: Published, telling: Telling): NoticeWriter {
  const sets = [...published.sets, ...known.sets]
  const changes = toldChanges(known.sets, published.sets, telling.today)
  const told = new Map<string, Told>()
  const names = namesOf(sets)
  const lastDays = lastDaysOf(published.sets)
  const statesFor = statesOf(published.sets)
  const write: Writer = ({ client, uid, displayName, pricingCodes }, replaces) => {
    const codes = pricingCodes && withImports(pricingCodes, sets)
    const key = codes?.join(' ') ?? ''
    const own = told.get(key) ?? toldOf(codes ? changesFor(codes, changes) : changes)
    told.set(key, own)
    if (own.count === 0 && !replaces) return undefined
    const { number, release } = published
    const digest = hex({ client, follows: known.number, number, changes: own.digest, replaces: replaces?.number ?? 0 })
    const { environment, issuedAt } = telling
    const always = { digest, client, environment, release, names: names(own.bounded), ...own.bounded }
    const states = statesFor(own.bounded)
    const days = Object.fromEntries(Object.entries(lastDays).filter(([code]) => code in states))
    return { ...always, states, lastDays: days, ...withoutAbsent({ uid, displayName, number, issuedAt, replaces }) }
  }
  return { write, all: { changes, names: names({ changes }), lastDays } }
}

/** A notice about what is published now for each recipient whom it concerns. */
export function* noticesOf(
  known: Announcement,
  published: Published,
  recipients: readonly Recipient[],
  telling: Telling,
): Generator<Notice> {
  const { write } = noticeWriter(known, published, telling)
  for (const recipient of recipients) {
    const notice = write(recipient)
    if (notice) yield notice
  }
}

/** The fields that have a value: JSON drops the others when the notice is stored. */
function withoutAbsent(fields: { [K in keyof Notice]?: Notice[K] | undefined }): Partial<Notice> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** The content that all recipients of the same pricing codes share. */
interface Told {
  count: number
  digest: string
  bounded: ReturnType<typeof bounded>
}

function toldOf(changes: readonly FigureChange[]): Told {
  // The day decides whether a change is a correction, so the digest ignores `correction`: a retry on the next day must
  // give the same digest.
  const timeless = changes.map(({ correction: _, ...change }) => change)
  return { count: changes.length, digest: hex(timeless), bounded: bounded(changes) }
}

/**
 * The changes to announce, by effective date. A new source, grade, reason or computation alone is not announced.
 */
function toldChanges(
  old: readonly RateSetSpec[],
  now: readonly RateSetSpec[],
  today: Telling['today'],
): FigureChange[] {
  const zones = new Map([...old, ...now].map(({ pricingCode, timeZone }) => [pricingCode, timeZone]))
  const wordsOf = (code: string) => forReaders(setLabels(old, now, code))
  const announced = withFollowers(changesOf(old, now, '', wordsOf), now, wordsOf).filter(
    ({ about, isExplanation }) => about !== 'evidence' && !isExplanation,
  )
  const changes = toldOnce(wholeCases(announced))
  const told = afterPostponed(withCorrections(changes, (pricingCode) => today(zones.get(pricingCode) ?? 'UTC')))
  return told.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)))
}

/** The changes of some pricing codes, each with the followers of these codes only. */
function changesFor(codes: readonly string[], changes: readonly FigureChange[]): FigureChange[] {
  const own = changes.filter(({ pricingCode }) => codes.includes(pricingCode))
  return own.map(({ followers = [], ...change }) => {
    const ofCodes = followers.filter(({ pricingCode }) => pricingCode === undefined || codes.includes(pricingCode))
    return ofCodes.length === 0 ? change : { ...change, followers: ofCodes }
  })
}

function withImports(pricingCodes: readonly string[], sets: readonly RateSetSpec[]): string[] {
  const own = sets.filter(({ pricingCode }) => pricingCodes.includes(pricingCode))
  return [...new Set([...pricingCodes, ...own.flatMap(({ imports }) => imports ?? [])])].sort()
}

/** The names of the jurisdictions of some changes for readers, from their own sets. */
function namesOf(sets: readonly RateSetSpec[]) {
  const all = new Map(sets.map(({ pricingCode, jurisdiction }) => [pricingCode, jurisdiction]))
  return ({ changes, more = [] }: Pick<Notice, 'changes' | 'more'>): Record<string, string> => {
    const followers = changes.flatMap((one) => one.followers ?? [])
    const codes = new Set([...changes, ...more, ...followers].flatMap(({ pricingCode }) => pricingCode ?? []))
    return Object.fromEntries([...codes].flatMap((code) => (all.has(code) ? [[code, all.get(code)!]] : [])))
  }
}

/** The last day of the rate sets of each pricing code, ISO. */
function lastDaysOf(sets: readonly RateSetSpec[]): Record<string, string> {
  const inOrder = sets
    .filter(({ withdrawn }) => !withdrawn)
    .toSorted((a, b) => (a.financialYear < b.financialYear ? -1 : 1))
  return Object.fromEntries(inOrder.map((one) => [one.pricingCode, yearDates(one.financialYear).endDate]))
}

/** The digests of the rate sets of the pricing codes of some changes. */
function statesOf(sets: readonly RateSetSpec[]) {
  const known = new Map<string, string>()
  return ({ changes, more = [] }: Pick<Notice, 'changes' | 'more'>): Record<string, string> => {
    const codes = [...new Set([...changes, ...more].map(({ pricingCode }) => pricingCode))]
    for (const code of codes) if (!known.has(code)) known.set(code, stateOf(code, sets))
    return Object.fromEntries(codes.map((code) => [code, known.get(code)!]))
  }
}

/** The digest of the rate sets of a pricing code. */
export function stateOf(pricingCode: string, sets: readonly RateSetSpec[]): string {
  const own = sets.filter((one) => one.pricingCode === pricingCode)
  return hex(own.toSorted((a, b) => (a.financialYear < b.financialYear ? -1 : 1)))
}

const hex = (value: unknown) => digestOf(value).replace('sha256:', '')
