import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { jwtOperator, newNkey, secretFolder, type JwtOperator, type SecretFolder } from '../../harness/nats-logins.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { followed, type Followed } from './followed.ts'

const PASSWORD = 'a-password-of-nats-0123456789'
const TOKEN = 'a-token-of-nats-0123456789'

const key = newNkey()
let operator: JwtOperator
let servers: Record<'users' | 'token' | 'jwt', TestNats>
beforeAll(async () => {
  operator = await jwtOperator()
  const users = `authorization { users: [{ user: worker, password: "${PASSWORD}" }, { nkey: ${key.publicKey} }] }`
  servers = {
    users: await startTestNats({ configuration: users }),
    token: await startTestNats({ configuration: `authorization { token: "${TOKEN}" }` }),
    jwt: await startTestNats({ configuration: operator.configuration }),
  }
})
afterAll(async () => void (await Promise.all(Object.values(servers).map((server) => server.close()))))

let nats: Followed | undefined
let folder: SecretFolder | undefined
afterEach(async () => {
  await nats?.stop()
  folder?.remove()
  nats = folder = undefined
})

function follow(url: string, files?: Record<string, string>): Followed {
  folder = files && secretFolder(files)
  return (nats = followed({ url, ...(folder && { secretDirectory: folder.path }) }))
}

const right: [string, keyof typeof servers, () => Promise<Record<string, string>> | Record<string, string>][] = [
  ['a credentials file', 'jwt', async () => ({ 'nats.creds': await operator.credentials() })],
  ['the seed of an nkey', 'users', () => ({ 'nkey.seed': `${key.seed}\n` })],
  ['a user and a password', 'users', () => ({ username: 'worker\n', password: `${PASSWORD}\n` })],
  ['a token', 'token', () => ({ token: TOKEN })],
]

test.each(right)('%s opens the server that asks for it', async (_, server, files) => {
  const { untilReady, said } = follow(servers[server].url, await files())
  await untilReady()
  await nats?.connection()?.flush()
  for (const secret of Object.values(await files())) expect(said.join('')).not.toContain(secret.trim())
})

test('a login in the address opens the server: a user and a password, percent-encoded, or a token', async () => {
  const { port } = servers.users
  await follow(`nats://worker:${PASSWORD.replaceAll('-', '%2D')}@127.0.0.1:${port}`).untilReady()
  await nats?.stop()
  const { untilReady, said } = follow(`nats://${TOKEN}@127.0.0.1:${servers.token.port}`)
  await untilReady()
  expect(said.join('')).not.toContain(TOKEN)
})

const wrong: [string, keyof typeof servers, () => Promise<Record<string, string>> | Record<string, string>][] = [
  ['a credentials file', 'jwt', async () => ({ 'nats.creds': await (await jwtOperator()).credentials() })],
  ['the seed of an nkey', 'users', () => ({ 'nkey.seed': newNkey().seed })],
  ['a user and a password', 'users', () => ({ username: 'worker', password: 'wrong-0123456789' })],
  ['a token', 'token', () => ({ token: 'wrong-0123456789' })],
]

test.each(wrong)(
  '%s that the server does not know is refused, and nothing says what it was',
  async (_, server, make) => {
    const files = await make()
    const { untilUnready, said } = follow(servers[server].url, files)
    await untilUnready('the server refuses the login')
    for (const [name, secret] of Object.entries(files))
      if (name !== 'username') expect(said.join('')).not.toContain(secret)
  },
)

test('without a login the reason says that none is set', async () => {
  await follow(servers.users.url).untilUnready('the server requires a login, but none is set')
})

const unreadable: [string, Record<string, string>, string][] = [
  [
    'keys of other names',
    { user: 'a', pass: 'secret-0123456789' },
    'has none of nats.creds, nkey.seed, username, token',
  ],
  ['two logins', { token: 'secret-0123456789', 'nkey.seed': key.seed }, 'there is one in each of nkey.seed, token'],
  ['a user without a password', { username: 'worker' }, 'has username, and no password'],
  ['a seed that is none', { 'nkey.seed': 'secret-0123456789' }, 'nkey.seed is not the seed of an nkey'],
  ['a credentials file that is none', { 'nats.creds': 'secret-0123456789' }, 'nats.creds is not a credentials file'],
  ['a certificate without its key', { 'tls.crt': 'secret-0123456789' }, 'has one of tls.crt and tls.key'],
]

test.each(unreadable)('a Secret with %s is named, without its content', async (_, files, reason) => {
  const { untilUnready, said } = follow(servers.users.url, files)
  await untilUnready(reason)
  expect(said.join('')).not.toMatch(/secret-0123456789/)
  expect(said.join('')).not.toContain(key.seed)
})

test('a folder that is not there, or still empty, is named, and a login in it later is taken', async () => {
  const { path, put, remove } = (folder = secretFolder())
  remove()
  nats = followed({ url: servers.token.url, secretDirectory: path })
  await nats.untilUnready(`there is no folder ${path}`)
  put({})
  await nats.untilUnready(`${path} has none of`)
  put({ token: TOKEN })
  await nats.untilReady()
})
