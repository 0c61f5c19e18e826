import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { certificateFor, secretFolder, type SecretFolder } from '../../harness/nats-logins.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { followed, type Followed } from './followed.ts'

let server: TestNats | undefined
let nats: Followed | undefined
const folders: SecretFolder[] = []
afterEach(async () => {
  await nats?.stop()
  await server?.close()
  for (const folder of folders.splice(0)) folder.remove()
  nats = server = undefined
})

function folderOf(files: Record<string, string>): string {
  const folder = secretFolder(files)
  folders.push(folder)
  return folder.path
}

/** Starts a server whose certificate is for the hosts; answers with that certificate, which is its own authority. */
async function serve(hosts: string[], { tls = '', further = '' } = {}): Promise<string> {
  const { cert, key } = await certificateFor('nats', ...hosts)
  const path = folderOf({ 'server.crt': cert, 'server.key': key })
  const lines = `tls { cert_file: "${path}/server.crt", key_file: "${path}/server.key", ${tls} }\n${further}`
  server = await startTestNats({ configuration: lines })
  return cert
}

const follow = (...[access]: Parameters<typeof followed>) => (nats = followed(access))
const at = (host: string, scheme = 'nats') => `${scheme}://${host}:${server?.port}`

test('a server with a certificate of a private authority is taken with that authority, and not without', async () => {
  const ca = await serve(['127.0.0.1', 'localhost'])
  await follow({ url: at('127.0.0.1') }).untilUnready('self-signed certificate')
  await nats?.stop()
  await follow({ url: at('127.0.0.1'), secretDirectory: folderOf({ 'ca.crt': ca }) }).untilReady()
  await nats?.stop()
  await follow({ url: at('localhost', 'tls'), secretDirectory: folderOf({ 'ca.crt': ca }) }).untilReady()
})

test('the certificate must be for the address that is asked, be it a name or an IP address', async () => {
  const ca = await serve(['localhost'])
  const secretDirectory = folderOf({ 'ca.crt': ca })
  await follow({ url: at('127.0.0.1'), secretDirectory }).untilUnready('does not match certificate')
  await nats?.stop()
  await follow({ url: at('localhost'), secretDirectory }).untilReady()
  await nats?.stop()
  await server?.close()
  const other = folderOf({ 'ca.crt': await serve(['127.0.0.1']) })
  await follow({ url: at('localhost'), secretDirectory: other }).untilUnready('does not match certificate')
})

interface Requiring {
  scheme?: string
  setting?: 'required'
  files?: () => Promise<Record<string, string>>
}

test.each<[string, Requiring]>([
  ['a tls:// address', { scheme: 'tls' }],
  ['the setting', { setting: 'required' }],
  ['an authority', { files: async () => ({ 'ca.crt': (await certificateFor('x')).cert }) }],
])(
  'where %s requires TLS, a server without TLS is never sent the login',
  async (_, { scheme = 'nats', setting, files }) => {
    // As a man in the middle does who takes TLS out of what the server says.
    const heard: Buffer[] = []
    const plain = createServer((socket) => {
      socket.on('error', () => undefined).on('data', (bytes) => heard.push(bytes))
      socket.write('INFO {"server_id":"x","version":"2.14.9","proto":1,"max_payload":8388608,"jetstream":true}\r\n')
    }).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    const secretDirectory = folderOf({
      token: 'secret-0123456789',
      ...(await files?.()),
    })
    const { untilUnready } = follow({
      url: `${scheme}://127.0.0.1:${port}`,
      secretDirectory,
      ...(setting && { tls: setting }),
    })
    await untilUnready("does not support 'tls'")
    await nats?.stop()
    expect(Buffer.concat(heard).toString()).toBe('')
    plain.close()
  },
)

test('a client certificate is the login where the server maps it to a user', async () => {
  const client = await certificateFor('worker')
  const clients = folderOf({ 'clients.crt': client.cert })
  const ca = await serve(['127.0.0.1'], {
    tls: `ca_file: "${clients}/clients.crt", verify_and_map: true`,
    further: 'authorization { users: [{ user: "CN=worker" }] }',
  })
  await follow({ url: at('127.0.0.1'), secretDirectory: folderOf({ 'ca.crt': ca }) }).untilUnready('cannot connect')
  await nats?.stop()
  const secretDirectory = folderOf({ 'ca.crt': ca, 'tls.crt': client.cert, 'tls.key': client.key })
  await follow({ url: at('127.0.0.1'), secretDirectory }).untilReady()
  expect(nats?.said.join('')).not.toContain('PRIVATE KEY')
})

test('a server that says nothing before the handshake is reached by “first”', async () => {
  const ca = await serve(['127.0.0.1'], { tls: 'handshake_first: true' })
  await follow({ url: at('127.0.0.1'), secretDirectory: folderOf({ 'ca.crt': ca }), tls: 'first' }).untilReady()
})
