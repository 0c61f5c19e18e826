import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { readKeySet } from '../../../api/auth/read-key-set.ts'

let close = () => undefined as void
afterEach(() => close())

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.close()
    server.closeAllConnections()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
}

test('a key set is read as it was sent', async () => {
  const address = await serve((_request, response) => response.end('{"keys":[]}'))
  expect((await readKeySet(address, 20_000)).text).toBe('{"keys":[]}')
})

const fat = JSON.stringify({ keys: [], padding: 'p'.repeat(300_000) })
const bad: Record<string, [RequestListener, string]> = {
  'that leads elsewhere': [
    (_request, response) => void response.writeHead(302, { location: '/other' }).end(),
    'fetch failed',
  ],
  'of another status': [(_request, response) => void response.writeHead(500).end('{"keys":[]}'), 'answered 500'],
  'that is too large': [(_request, response) => void response.end(fat), 'more than 262144 bytes'],
  'that is too large once it is unpacked': [
    (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(fat)),
    'more than 262144 bytes',
  ],
  'that is no JSON': [(_request, response) => void response.end('<html>'), 'JSON'],
  'that is no key set': [(_request, response) => void response.end('{"keys":{}}'), 'JSON Web Key Set malformed'],
  'that never comes': [() => undefined, 'timeout'],
  'that never ends': [(_request, response) => void response.write('{"keys":['), 'timeout'],
}
for (const [what, [listener, message]] of Object.entries(bad)) {
  test(`an answer ${what} is a fault`, async () => {
    await expect(readKeySet(await serve(listener), message === 'timeout' ? 500 : 20_000)).rejects.toThrow(message)
  })
}
