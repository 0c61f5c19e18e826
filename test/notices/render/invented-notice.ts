import type { FigureChange } from '#rates/diff/figure-change.ts'
import { noticesOf } from '#notices/tell.ts'
import type { Notice } from '#notices/notice.ts'
import { inventedSet } from '../../operator/invented-set.ts'

/** The notice of a Victorian fee of $10.00 that becomes $12.00, written on a day, ISO. */
export function noticeOf(today: string): Notice {
  const sets = (fee: string) => [inventedSet('AU'), inventedSet('AU_VIC', { fee })]
  const announced = { number: 1, release: 'sha256:old', sets: sets('10.00') }
  const published = { release: 'sha256:new', sets: sets('12.00') }
  const recipients = [{ client: 'northside', to: ['rates@northside.example'] }]
  return [...noticesOf(announced, published, recipients, { environment: 'production-apac', today: () => today })][0]!
}

/** A change of a duty of $1 to $2 from 1 July 2027, but for what is named. */
export const change = (more: Partial<FigureChange>): FigureChange => ({
  ...{ pricingCode: 'AU_VIC', component: 'STAMP_DUTY', kind: 'rule', label: 'amount', about: 'figure', old: '$1' },
  ...{ new: '$2', from: '2027-07-01', sources: [], ...more },
})

export const withChanges = (changes: FigureChange[], more: Partial<Notice> = {}): Notice => ({
  ...{ ...noticeOf('2026-06-30'), changes },
  ...more,
})
