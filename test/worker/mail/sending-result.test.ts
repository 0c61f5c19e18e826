import { expect, test } from 'vitest'
import { follow, begin, settled } from '../../../worker/mail/progress.ts'
import { resultOfFault, resultOfTaken } from '../../../worker/mail/sending-result.ts'

const to = ['a@x.example', 'b@x.example', 'c@x.example']
const rejected = (recipient: string, responseCode: number) => ({
  ...{ message: `${responseCode} no`, code: 'EENVELOPE', command: 'RCPT TO', recipient, responseCode },
  permanent: responseCode >= 500,
})

test('of recipients that a server rejects one by one, those by 5yz are refused and the others put off', () => {
  const rejectedErrors = [rejected('b@x.example', 550), rejected('c@x.example', 452)]
  expect(resultOfTaken({ accepted: ['a@x.example'], rejectedErrors })).toEqual({
    ...{ accepted: ['a@x.example'], deferred: ['c@x.example'], refused: ['b@x.example'] },
    ...{ reason: '550 no', code: '550 RCPT TO' },
  })
  const all = { ...rejected('', 452), rejectedErrors: [...rejectedErrors, rejected('a@x.example', 550)] }
  expect(resultOfFault(all, to)).toMatchObject({ refused: ['b@x.example', 'a@x.example'], deferred: ['c@x.example'] })
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
  const result = resultOfFault({ message: 'no', ...fault }, to)
  expect(result).toMatchObject({ accepted: [], deferred: [], refused: [], [where]: to })
})

test('a recipient that was judged by itself is not counted again, in whatever case its domain is written', () => {
  const fault = { message: 'no', code: 'EMESSAGE', command: 'DATA', responseCode: 451, permanent: false }
  const result = resultOfFault({ ...fault, rejectedErrors: [rejected('a@x.example', 550)] }, [
    'a@X.example',
    'b@x.example',
  ])
  expect(result).toMatchObject({ deferred: ['b@x.example'], refused: ['a@x.example'] })
})

const now = new Date('2026-05-01T00:00:00Z')
const at = { now, isLast: false }
const none = { accepted: [], deferred: [], refused: [], reason: '', code: '' }

test('a record counts who got it, who is left and who is given up, over several attempts', () => {
  const first = follow(begin(undefined, now), { ...none, accepted: ['a'], deferred: ['b', 'c'], reason: '452' }, at)
  expect(first).toEqual({
    state: 'begun',
    at: now.toISOString(),
    attempts: 1,
    accepted: 1,
    refused: 0,
    left: ['b', 'c'],
  })
  const second = follow(begin(first, now), { ...none, deferred: ['c'], refused: ['b'], reason: '550' }, at)
  expect(second).toMatchObject({ attempts: 2, refused: 1, left: ['c'], undelivered: { to: ['b'], reason: '550' } })
  const last = follow(begin(second, now), { ...none, accepted: ['c'] }, at)
  expect(last).toMatchObject({ state: 'sent', attempts: 3, accepted: 2, undelivered: { to: ['b'], reason: '550' } })
  expect(settled(last)).toEqual({ state: 'sent', at: now.toISOString(), attempts: 3, accepted: 2, refused: 1 })
})

test('at the last attempt who is put off is given up', () => {
  const over = follow(begin(undefined, now), { ...none, deferred: ['a'], reason: '451 busy' }, { now, isLast: true })
  expect(over).toMatchObject({
    state: 'dead',
    refused: 1,
    undelivered: { to: ['a'], reason: 'not delivered in time: 451 busy' },
  })
  expect(over.left).toBeUndefined()
})
