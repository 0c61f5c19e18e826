import { expect, test } from 'vitest'
import type { Mailbox, Waiting } from '#notices/mailbox.ts'
import { replacedBy } from '#notices/mailbox-changes.ts'
import { ended } from '../../worker/mail/progress.ts'

const issuedAt = '2026-11-22T09:14:00.000Z'
const waiting: Waiting = {
  ...{ token: 't', digest: 'd', number: 6, issuedAt, since: issuedAt, replay: 0, attempts: 3, mayBeKnown: false },
  ...{ accepted: [], refused: ['gone@x.example'] },
}
const died = (notice: Waiting): Mailbox => ended({ waiting: notice, knows: 4 }, notice, 1, new Date(issuedAt))

test('a notice that died leaves behind which one it was to replace, for the next', () => {
  const replaces = { number: 5, issuedAt: '2026-11-21T09:14:00.000Z' }
  expect(replacedBy(died({ ...waiting, replaces }))).toEqual(replaces)
})

test('a notice that died and that somebody may have is replaced by the next', () => {
  expect(replacedBy(died({ ...waiting, mayBeKnown: true }))).toEqual({ number: 6, issuedAt })
})

test('a notice that died and that nobody has leaves nothing to replace, and one that was sent neither', () => {
  expect(replacedBy(died(waiting))).toBeUndefined()
  expect(replacedBy(died({ ...waiting, mayBeKnown: true, accepted: ['here@x.example'] }))).toBeUndefined()
})
