import { expect, test } from 'vitest'
import { keepWithdrawn } from '#notices/keep-withdrawn.ts'
import type { Announcement } from '#notices/outbox.ts'
import { messageOf } from '#notices/render/message.ts'
import { noticesOf } from '#notices/tell.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { sets } from '../rates/properties/sets.ts'

/* An index has no withdrawn rate set: what an announcement keeps of it is all that is known when the set returns. */
const rates = (edit: (vic: RateSetSpec) => void = () => undefined): RateSetSpec[] => {
  const copy = structuredClone(
    sets.filter((one) => ['AU', 'AU_VIC'].includes(one.pricingCode) && one.financialYear >= '2025-2026'),
  )
  edit(copy.find(isWithdrawn)!)
  return copy
}
const isWithdrawn = ({ pricingCode, financialYear }: RateSetSpec) =>
  pricingCode === 'AU_VIC' && financialYear === '2026-2027'

const announcement = (number: number, published: readonly RateSetSpec[]): Announcement => {
  return { number, release: `sha256:${number}`, sets: published }
}

const first = announcement(1, rates())
const gone = keepWithdrawn(
  announcement(
    2,
    rates().filter((one) => !isWithdrawn(one)),
  ),
  first,
)
const telling = { environment: 'test', today: () => '2026-11-22', issuedAt: '2026-11-22T09:14:00Z' }
const told = (known: Announcement, now: Announcement) => [
  ...noticesOf(known, now, [{ client: 'northside', to: [], pricingCodes: ['AU_VIC'] }], telling),
]

test('a set that is published no longer is kept as withdrawn, until it returns', () => {
  expect(gone.sets.filter(({ withdrawn }) => withdrawn).map(({ financialYear }) => financialYear)).toEqual([
    '2026-2027',
  ])
  const later = keepWithdrawn(
    announcement(
      3,
      rates().filter((one) => !isWithdrawn(one)),
    ),
    gone,
  )
  expect(later.sets).toEqual(gone.sets)
  expect(keepWithdrawn(announcement(4, rates()), later).sets).toEqual(rates())
})

test('clients are told that it can no longer be quoted, and then that it can be again', () => {
  expect(messageOf(told(first, gone)[0]!).subject).toBe('Victoria 2026-27 can no longer be quoted')
  const [notice] = told(gone, keepWithdrawn(announcement(3, rates()), gone))
  expect(notice!.changes).toMatchObject([{ kind: 'set', new: 'published again', correction: false }])
  expect(messageOf(notice!).subject).toBe('Victoria 2026-27 can be quoted again')
})

test('what it says otherwise than before it was withdrawn is a correction', () => {
  const fee = (vic: RateSetSpec) => void (vic.parameters![0]!.values[0]!.value = '17.37')
  const [notice] = told(gone, keepWithdrawn(announcement(3, rates(fee)), gone))
  const { subject, text } = messageOf(notice!)
  expect(subject).toMatch(
    /^Victoria 2026-27 can be quoted again; Victoria: amounts for registration and transfer fee are corrected/,
  )
  expect(text).toContain('These amounts differ from those before the rates were withdrawn.')
  expect(text).toContain('amount: $17.27 → $17.37')
})
