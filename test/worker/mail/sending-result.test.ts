import { expect, test } from 'vitest'
import type { Waiting } from '../../../notices/mailbox.ts'
import { begin, ended, follow, leftOf } from '../../../worker/mail/progress.ts'
import { resultOfFault, resultOfTaken } from '../../../worker/mail/sending-result.ts'

const to = ['a@x.example', 'b@x.example', 'c@x.example']
const rejected = (recipient: string, responseCode: number) => ({
  ...{ message: `${responseCode} no`, code: 'EENVELOPE', command: 'RCPT TO', recipient, responseCode },
  permanent: responseCode >= 500,
})

test('of recipients that a server rejects one by one, those by 5yz are refused and the others put off', () => {
  const rejectedErrors = [rejected('b@x.example', 550), rejected('c@x.example', 452)]
  expect(resultOfTaken({ accepted: ['a@x.example'], rejectedErrors }, to)).toEqual({
    ...{ accepted: ['a@x.example'], deferred: ['c@x.example'], refused: ['b@x.example'] },
    ...{ reason: '550 no', code: '550 RCPT TO', isKnown: true },
  })
  const all = { ...rejected('', 452), rejectedErrors: [...rejectedErrors, rejected('a@x.example', 550)] }
  expect(resultOfFault(all, to, true)).toMatchObject({
    refused: ['a@x.example', 'b@x.example'],
    deferred: ['c@x.example'],
  })
})

test.each([
  ['the mail by 554', { responseCode: 554, permanent: true, command: 'DATA', code: 'EMESSAGE' }, 'refused'],
  ['the mail by 451', { responseCode: 451, permanent: false, command: 'DATA', code: 'EMESSAGE' }, 'deferred'],
  ['the mail as too large, found before it was sent', { code: 'EMESSAGE', command: 'MAIL FROM' }, 'refused'],
  ['our address by 550', { responseCode: 550, permanent: true, command: 'MAIL FROM', code: 'EENVELOPE' }, 'deferred'],
  ['our login by 535', { responseCode: 535, permanent: true, command: 'AUTH PLAIN', code: 'EAUTH' }, 'deferred'],
  ['a connection', { code: 'ECONNECTION', command: 'CONN' }, 'deferred'],
  ['an answer in time', { code: 'ETIMEDOUT', command: 'CONN' }, 'deferred'],
] as const)('who refuses %s has the notice %s', (_, fault, where) => {
  const result = resultOfFault({ message: 'no', ...fault }, to, true)
  expect(result).toMatchObject({ accepted: [], deferred: [], refused: [], [where]: to })
})

test('a recipient that was judged by itself is not counted again, in whatever case its domain is written', () => {
  const fault = { message: 'no', code: 'EMESSAGE', command: 'DATA', responseCode: 451, permanent: false }
  const own = ['a@X.example', 'b@x.example']
  const result = resultOfFault({ ...fault, rejectedErrors: [rejected('a@x.example', 550)] }, own, true)
  expect(result).toMatchObject({ deferred: ['b@x.example'], refused: ['a@X.example'] })
})

test.each(['no-such@münchen.example', 'no-such,x@northside.example', 'A.B@Northside.EXAMPLE'])(
  'what is said of %s is known to be of it, however the library writes the address',
  (address) => {
    const recipient = {
      'no-such@münchen.example': 'no-such@xn--mnchen-3ya.example',
      'no-such,x@northside.example': '"no-such,x"@northside.example',
    }[address]
    const written = recipient ?? 'A.B@northside.example'
    const fault = { message: 'no', code: 'EENVELOPE', command: 'RCPT TO', rejectedErrors: [rejected(written, 550)] }
    expect(resultOfFault({ ...fault, responseCode: 550 }, [address], true)).toMatchObject({
      deferred: [],
      refused: [address],
    })
    expect(resultOfTaken({ accepted: [written] }, [address]).accepted).toEqual([address])
  },
)

const waiting: Waiting = {
  ...{ token: '', digest: 'd', number: 2, issuedAt: '', since: '', replay: 0, attempts: 0 },
  ...{ mayBeKnown: false, accepted: [], refused: [] },
}
const none = { accepted: [], deferred: [], refused: [], reason: '', code: '', isKnown: true }
const now = new Date('2026-05-01T00:00:00Z')

test('a notice counts who got it, who is left and who refused it, over several attempts', () => {
  const all = ['a', 'b', 'c']
  const first = follow(begin(waiting), { ...none, accepted: ['a'], deferred: ['b', 'c'], reason: '452' }, waiting)
  expect([first.attempts, leftOf(first, all)]).toEqual([1, ['b', 'c']])
  const second = follow(begin(first), { ...none, deferred: ['c'], refused: ['b'], reason: '550' }, first)
  expect([second.attempts, leftOf(second, all), second.reason]).toEqual([2, ['c'], '550'])
  const last = follow(begin(second), { ...none, accepted: ['c'] }, second)
  expect(leftOf(last, all)).toEqual([])
  expect(ended({ waiting: last, knows: 1 }, last, 1, now)).toEqual({
    last: { number: 2, digest: 'd', state: 'sent', at: now.toISOString(), attempts: 3, accepted: 2, refused: 1 },
  })
})

test('a client that got none of a notice still knows what it knew before', () => {
  const refused = follow(begin(waiting), { ...none, refused: ['a'] }, waiting)
  expect(ended({ waiting: refused, knows: 1 }, refused, 1, now)).toMatchObject({ knows: 1, last: { state: 'dead' } })
})

test('a notice that was put off in so many words nobody has; one without an answer somebody may have', () => {
  const deferred = { ...none, deferred: ['a'] }
  expect(follow(begin(waiting), deferred, waiting).mayBeKnown).toBe(false)
  expect(follow(begin(waiting), { ...deferred, isKnown: false }, waiting).mayBeKnown).toBe(true)
  const before = { ...waiting, mayBeKnown: true }
  expect(follow(begin(before), deferred, before).mayBeKnown).toBe(true)
})
