import { generateKeyPairSync } from 'node:crypto'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '../../../runtime/log.ts'
import { configure } from '../../../worker/configuration.ts'
import { messageIdOf, openPost, type Post } from '../../../worker/mail/post.ts'
import { MAIL_PASSWORD, MAIL_USER, startMailServer, type TestMailServer } from '../../harness/mail-server.ts'
import { openTcpGate } from '../../harness/tcp-gate.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { FROM } from './mail-rig.ts'

let server: TestMailServer
let post: Post | undefined
const lines: string[] = []
const log = createLog({ name: 'test', level: 'debug' }, { write: (line: string) => void lines.push(line) })
const directory = temporaryDirectory('smtp-secret')
afterEach(async () => {
  post?.close()
  await server.close()
})

const login = { SMTP_USERNAME: MAIL_USER, SMTP_PASSWORD: MAIL_PASSWORD }
const mail = {
  notice: { digest: 'd1', client: 'north side', to: ['a@x.example', 'b@y.example'] },
  message: { subject: 'Rates', text: 'text', html: '<p>html</p>' },
  to: ['b@y.example'],
}

function openedPost(env: Record<string, string> = {}): Post {
  const address = {
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(server.port),
    NOTICES_FROM: FROM,
    SMTP_CONNECT_SECONDS: '2',
  }
  post = openPost(configure({ ...address, ...env }), log)
  return post
}
const send = (env?: Record<string, string>) => openedPost(env).send(mail, new AbortController().signal)

test('with TLS required the mail goes out after STARTTLS, to whom it is for, and names all in its header', async () => {
  server = await startMailServer()
  expect(await send({ ...login, SMTP_CA_FILE: server.caFile })).toMatchObject({
    accepted: ['b@y.example'],
    deferred: [],
  })
  expect(server.taken).toMatchObject([{ isEncrypted: true, recipients: ['b@y.example'] }])
  expect(server.taken[0]?.email.to?.map(({ address }) => address)).toEqual(mail.notice.to)
  expect(server.taken[0]?.email.messageId).toBe(messageIdOf('d1', FROM))
})

test('with TLS required a server that offers none gets neither the login nor the mail, which waits', async () => {
  server = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  expect(await send({ ...login, SMTP_CA_FILE: server.caFile })).toMatchObject({
    accepted: [],
    refused: [],
    deferred: mail.to,
  })
  expect(server.seen).toEqual([])
})

test('a server whose certificate is of nobody that we know gets no mail', async () => {
  server = await startMailServer()
  expect(await send(login)).toMatchObject({
    deferred: mail.to,
    refused: [],
    code: expect.stringMatching(/^(ESOCKET|ETLS)/),
  })
  expect(server.seen).toEqual([])
})

test('with implicit TLS the connection is encrypted from the first byte', async () => {
  server = await startMailServer({ secure: true })
  expect(await send({ ...login, SMTP_CA_FILE: server.caFile, SMTP_TLS: 'implicit' })).toMatchObject({
    accepted: mail.to,
  })
})

test('a relay without TLS and login is used where that is asked for', async () => {
  server = await startMailServer({ authOptional: true, hideSTARTTLS: true })
  expect(await send({ SMTP_TLS: 'none' })).toMatchObject({ accepted: mail.to })
  expect(server.taken).toMatchObject([{ isEncrypted: false }])
})

test('a wrong password is no fault of the mail, and one that is put right in the Secret is used without a restart', async () => {
  server = await startMailServer()
  const put = (name: string, content: string) => writeFileSync(join(directory.path, name), `${content}\n`)
  put('username', MAIL_USER)
  put('password', 'old')
  const opened = openedPost({ SMTP_SECRET_DIRECTORY: directory.path, SMTP_CA_FILE: server.caFile })
  const { signal } = new AbortController()
  expect(await opened.send(mail, signal)).toMatchObject({ deferred: mail.to, refused: [], code: '535 AUTH PLAIN' })
  put('password', MAIL_PASSWORD)
  expect(await opened.send(mail, signal)).toMatchObject({ accepted: mail.to })
  expect(lines.join('')).not.toContain(MAIL_PASSWORD)
})

test('a Secret that is not there defers the mail and says so', async () => {
  server = await startMailServer()
  expect(await send({ ...login, SMTP_CA_FILE: '/nowhere/ca.crt' })).toMatchObject({ deferred: mail.to, code: 'ENOENT' })
})

test('a mail whose connection ends before its answer is not sent again behind our back', async () => {
  server = await startMailServer()
  const gate = await openTcpGate(server.port)
  const opened = openedPost({ ...login, SMTP_CA_FILE: server.caFile, SMTP_PORT: String(gate.port) })
  const { signal } = new AbortController()
  await opened.send(mail, signal)
  server.answers.data = () => void gate.cut()
  expect(await opened.send(mail, signal)).toMatchObject({ accepted: [], refused: [], deferred: mail.to })
  await sleep(1_000)
  expect(server.seen).toHaveLength(2)
  await gate.close()
})

test.each([
  [{ SMTP_HOST: 'x' }, 'NOTICES_FROM'],
  [{ SMTP_HOST: 'x', NOTICES_FROM: 'nobody' }, 'NOTICES_FROM'],
  [{ SMTP_HOST: 'x', NOTICES_FROM: FROM, SMTP_USERNAME: 'u' }, 'SMTP_USERNAME and SMTP_PASSWORD go together'],
  [{ SMTP_HOST: 'x', NOTICES_FROM: FROM, SMTP_TLS: 'none', ...login }, 'SMTP_TLS is none'],
  [{ SMTP_HOST: 'x', NOTICES_FROM: FROM, SMTP_TLS: 'maybe' }, 'SMTP_TLS'],
])('settings that cannot work together end the program at its start: %o', async (env, fault) => {
  server = await startMailServer()
  expect(() => configure(env)).toThrow(fault)
})

test('a mail is signed by the key of the domain where one is set, and stopped by a mail to the sender where nothing else is', async () => {
  server = await startMailServer()
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(directory.path, 'dkim.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const keyFile = { DKIM_KEY_FILE: join(directory.path, 'dkim.pem') }
  const dkim = { DKIM_DOMAIN: 'driveaway.example', DKIM_SELECTOR: 'rates2026', ...keyFile }
  expect(await send({ ...login, SMTP_CA_FILE: server.caFile, ...dkim })).toMatchObject({ accepted: mail.to })
  const header = (name: string) => server.taken[0]?.email.headers.find(({ key }) => key === name)?.value
  expect(header('dkim-signature')).toMatch(/d=driveaway\.example; q=dns\/txt;\s+s=rates2026;/)
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  const { raw } = server.taken[0]!
  expect(await verdictOn(raw, record)).toEqual({ result: 'pass', domain: 'driveaway.example' })
  expect(
    (await verdictOn(Buffer.from(raw.toString().replace('Subject: Rates', 'Subject: Other')), record)).result,
  ).toBe('fail')
  expect((await verdictOn(Buffer.from(raw.toString().replace('html', 'HTML')), record)).result).not.toBe('pass')
  expect(header('list-unsubscribe')).toBe('<mailto:rates@driveaway.example?subject=stop%20notices%20north%20side>')
})

/** What an independent verifier says of the signature of a mail, where the DNS has a record of the key. */
async function verdictOn(raw: Buffer, record: string): Promise<{ result: string; domain: string | undefined }> {
  const resolver = async (name: string, type: string) => {
    if (name === 'rates2026._domainkey.driveaway.example' && type === 'TXT') return [[record]]
    throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
  }
  const { results } = (await dkimVerify(raw, { resolver })) as {
    results: { status: { result: string }; signingDomain?: string }[]
  }
  expect(results).toHaveLength(1)
  return { result: results[0]!.status.result, domain: results[0]!.signingDomain }
}

test('where mails are to be signed and the key is not there, none goes out', async () => {
  server = await startMailServer()
  const dkim = { DKIM_DOMAIN: 'driveaway.example', DKIM_SELECTOR: 'rates2026', DKIM_KEY_FILE: '/nowhere/dkim.pem' }
  expect(await send({ ...login, SMTP_CA_FILE: server.caFile, ...dkim })).toMatchObject({ deferred: mail.to })
  expect(server.seen).toEqual([])
})
