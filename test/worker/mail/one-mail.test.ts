import { afterAll, beforeAll, expect, test } from 'vitest'
import { pack } from '../../../notices/packed.ts'
import { noticeSubject, NOTICES } from '../../../notices/storage.ts'
import { MAIL_USER } from '../../harness/mail-server.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

let rig: MailRig
beforeAll(async () => void (rig = await startMailRig()))
afterAll(() => rig.close())

const isQueueEmpty = async () => (await rig.store.manager.streams.info(NOTICES)).state.messages === 0

test('a notice becomes one mail to all of its addresses, with a text and an HTML part, over TLS and a login', async () => {
  await rig.worker('one')
  const to = ['rates@northside.example', 'owner@northside.example']
  const notice = await rig.put('one', { to })
  await waitFor('the notice to be over', isQueueEmpty, { timeoutMs: 30_000 })
  const mails = rig.mailsOf(notice)
  expect(mails).toHaveLength(1)
  const { email, recipients, from, isEncrypted, user } = mails[0]!
  expect({ recipients, from, isEncrypted, user }).toEqual({
    ...{ recipients: to, from: 'rates@driveaway.example', isEncrypted: true, user: MAIL_USER },
  })
  expect(email.from).toMatchObject({ address: 'rates@driveaway.example', name: 'Rates of Test' })
  expect(email.to?.map(({ address }) => address)).toEqual(to)
  expect(email.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  for (const part of [email.text, email.html]) {
    expect(part).toContain('31.50')
    expect(part).toContain('Number plates')
  }
  expect(email.subject).toContain('XX_TEST')
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', attempts: 1, accepted: 2, refused: 0 })
})

test('of a notice that is put again after it was sent, no second mail goes out', async () => {
  const notice = await rig.put('again')
  await waitFor('the mail', () => rig.mailsOf(notice).length === 1)
  await waitFor('its end', isQueueEmpty)
  const last = async () => (await rig.store.manager.streams.info(NOTICES)).state.last_seq
  const before = await last()
  await rig.outbox.put(notice)
  expect(await last()).toBe(before)
})

test('a notice that is in the stream though it was sent is taken out without a mail', async () => {
  const notice = await rig.put('sent-before', {})
  await waitFor('its end', isQueueEmpty)
  const data = pack(notice)
  await rig.store.client.publish(noticeSubject({ ...notice, replay: 0 }), data)
  await waitFor('its end', isQueueEmpty)
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('two workers send each of many notices once between them', async () => {
  await rig.worker('two')
  const notices = await Promise.all(
    Array.from({ length: 40 }, (_, index) => rig.put(`many${index}-`, { client: `client-${index}` })),
  )
  await waitFor('all mails', isQueueEmpty, { timeoutMs: 40_000 })
  expect(notices.map((notice) => rig.mailsOf(notice).length)).toEqual(notices.map(() => 1))
  for (const name of ['one', 'two']) expect(rig.logOf(name)).toContain('notice sent')
})

test('the log names the client and the digest, and no address', async () => {
  const log = rig.logOf('one')
  expect(log).toMatch(/"client":"northside","digest":"one0+".*notice sent/)
  expect(log).not.toContain('@')
})
