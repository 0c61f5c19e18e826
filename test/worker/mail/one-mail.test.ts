import type { Email } from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DUE_CLIENTS } from '../../../notices/storage.ts'
import { MAIL_USER } from '../../harness/mail-server.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startMailRig, type MailRig } from './mail-rig.ts'

const isQueueEmpty = async () => (await rig.store.manager.streams.info(DUE_CLIENTS)).state.messages === 0

const headerOf = ({ headers }: Email, name: string) => headers.find(({ key }) => key === name)?.value
const SURROUNDINGS = {
  NOTICES_REPLY_TO: 'desk@driveaway.example',
  NOTICES_UNSUBSCRIBE: 'mailto:stop@driveaway.example',
  NOTICES_LINK: 'https://rates.driveaway.example/explore',
  NOTICES_CONTACT: 'the rates desk',
}

let rig: MailRig
beforeAll(async () => {
  rig = await startMailRig()
  await rig.worker('one', SURROUNDINGS)
})
afterAll(() => rig.close())

test('a notice becomes one mail to all of its addresses, with a text and an HTML part, over TLS and a login', async () => {
  const to = ['rates@northside.example', 'owner@northside.example']
  const notice = await rig.put('one', { client: 'northside' }, to)
  await waitFor('the notice to be over', isQueueEmpty, { timeoutMs: 30_000 })
  const mails = rig.mailsOf(notice)
  expect(mails).toHaveLength(1)
  const { email, recipients, from, isEncrypted, user } = mails[0]!
  expect({ recipients, from, isEncrypted, user }).toEqual({
    ...{ recipients: to, from: 'rates@driveaway.example', isEncrypted: true, user: MAIL_USER },
  })
  expect(email.from).toMatchObject({ address: 'rates@driveaway.example', name: 'Rates of Test' })
  expect(email.to?.map(({ address }) => address)).toEqual(to)
  expect(headerOf(email, 'auto-submitted')).toBe('auto-generated')
  for (const part of [email.text, email.html]) {
    expect(part).toContain('31.50')
    expect(part).toContain('Number plates')
  }
  expect(email.subject).toContain('XX_TEST')
  expect(headerOf(email, 'list-id')).toBe('<rate-changes.driveaway.example>')
  expect(headerOf(email, 'list-unsubscribe')).toBe('<mailto:stop@driveaway.example>')
  expect(email.replyTo).toMatchObject([{ address: 'desk@driveaway.example' }])
  for (const part of [email.text, email.html]) {
    expect(part).toContain('https://rates.driveaway.example/explore')
    expect(part).toContain('ask the rates desk')
    expect(part).toContain('write to stop@driveaway.example')
  }
  expect(await rig.recordOf(notice)).toMatchObject({ state: 'sent', attempts: 1, accepted: 2, refused: 0 })
})

test('a client that is due though nothing waits gets no mail', async () => {
  const notice = await rig.put('sent-before')
  await waitFor('its end', isQueueEmpty)
  await rig.store.markDue(notice.client)
  await waitFor('its end', isQueueEmpty)
  expect(rig.mailsOf(notice)).toHaveLength(1)
})

test('two workers send each of many notices once between them', async () => {
  const second = await rig.worker('two')
  const notices = await Promise.all(
    Array.from({ length: 40 }, (_, index) => rig.put(`many${index}-`, { client: `client-${index}` })),
  )
  await waitFor('all mails', isQueueEmpty, { timeoutMs: 40_000 })
  expect(notices.map((notice) => rig.mailsOf(notice).length)).toEqual(notices.map(() => 1))
  for (const name of ['one', 'two']) expect(rig.logOf(name)).toContain('notice sent')
  await second.stop()
})

test('the log names the client and the digest, and no address', async () => {
  await rig.put('logged', { client: 'eastside' }, ['rates@eastside.example'])
  await waitFor('its end', isQueueEmpty, { timeoutMs: 30_000 })
  const log = rig.logOf('one')
  expect(log).toMatch(/"client":"eastside","digest":"logged0+".*notice sent/)
  expect(log).not.toContain('@')
})
