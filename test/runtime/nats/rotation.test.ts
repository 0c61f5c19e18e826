import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { certificateFor, jwtOperator, secretFolder, type SecretFolder } from '../../harness/nats-logins.ts'
import { startTestNats, type TestNats } from '../../harness/nats.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { followed, type Followed } from './followed.ts'

let server: TestNats | undefined
let nats: Followed | undefined
const folders: SecretFolder[] = []
afterEach(async () => {
  await nats?.stop()
  await server?.close()
  for (const folder of folders.splice(0)) folder.remove()
})

function folderOf(files: Record<string, string>): SecretFolder {
  const folder = secretFolder(files)
  folders.push(folder)
  return folder
}

const withPassword = (password: string) => `authorization { user: worker, password: "${password}" }`
const clientId = () => nats?.connection()?.info?.client_id

test('a password that is rotated on both sides takes no restart, and the connection lives on with its subscriptions', async () => {
  server = await startTestNats({ configuration: withPassword('first-0123456789') })
  const folder = folderOf({ username: 'worker', password: 'first-0123456789' })
  nats = followed({ url: server.url, secretDirectory: folder.path })
  await nats.untilReady()
  const [before, connection] = [clientId(), nats.connection()]
  folder.put({ username: 'worker', password: 'second-0123456789' })
  server.reload(withPassword('second-0123456789'))
  await waitFor('the new connection', () => clientId() !== undefined && clientId() !== before)
  expect(nats.connection()).toBe(connection)
  await connection?.flush()
  expect(nats.said.join('')).not.toMatch(/(first|second)-0123456789/)
})

test('a server that is rotated first is waited for, with the reason, until the Secret follows', async () => {
  server = await startTestNats({ configuration: withPassword('first-0123456789') })
  const folder = folderOf({ username: 'worker', password: 'first-0123456789' })
  nats = followed({ url: server.url, secretDirectory: folder.path })
  await nats.untilReady()
  server.reload(withPassword('second-0123456789'))
  await nats.untilUnready('the server refuses the login')
  folder.put({ username: 'worker', password: 'second-0123456789' })
  await nats.untilReady()
  await nats.connection()?.flush()
})

test('credentials that expire are followed by those that the folder has by then', async () => {
  const operator = await jwtOperator()
  server = await startTestNats({ configuration: operator.configuration })
  const folder = folderOf({ 'nats.creds': await operator.credentials(3) })
  nats = followed({ url: server.url, secretDirectory: folder.path })
  await nats.untilReady()
  const [before, connection] = [clientId(), nats.connection()]
  folder.put({ 'nats.creds': await operator.credentials() })
  await waitFor('the new connection', () => clientId() !== undefined && clientId() !== before)
  expect(nats.connection()).toBe(connection)
})

test('another kind of login in the folder is taken as well', async () => {
  const operator = await jwtOperator()
  server = await startTestNats({ configuration: withPassword('first-0123456789') })
  const folder = folderOf({ username: 'worker', password: 'first-0123456789' })
  nats = followed({ url: server.url, secretDirectory: folder.path })
  await nats.untilReady()
  await server.stop()
  server.reload(operator.configuration)
  folder.put({ 'nats.creds': await operator.credentials() })
  await server.start()
  await nats.untilReady()
})

test('a certificate of a new authority is trusted as soon as the folder has the authority', async () => {
  const files = folderOf({})
  const put = async () => {
    const { cert, key } = await certificateFor('nats', '127.0.0.1')
    for (const [name, text] of [
      ['server.crt', cert],
      ['server.key', key],
    ] as const)
      writeFileSync(join(files.path, name), text)
    return { 'ca.crt': cert }
  }
  const folder = folderOf(await put())
  const configuration = `tls { cert_file: "${files.path}/server.crt", key_file: "${files.path}/server.key" }`
  server = await startTestNats({ configuration })
  nats = followed({ url: server.url, secretDirectory: folder.path })
  await nats.untilReady()
  await server.stop()
  const renewed = await put()
  await server.start()
  await nats.untilUnready('disconnected')
  folder.put(renewed)
  await nats.untilReady()
})
