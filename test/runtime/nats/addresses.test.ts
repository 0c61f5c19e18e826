import { expect, test } from 'vitest'
import { readAddresses } from '../../../runtime/nats/addresses.ts'
import { readConfiguration } from '../../../runtime/configuration.ts'
import { natsAccess, natsVariables, type NatsConfiguration } from '../../../runtime/nats/settings.ts'

const read = (env: NodeJS.ProcessEnv) => readConfiguration<NatsConfiguration>(env, natsVariables)

test('addresses may go without a scheme, a port and spaces, and several are separated by commas', () => {
  expect(readAddresses('a, nats://b:4333,nats://[::1]')).toEqual({
    servers: ['a:4222', 'b:4333', '[::1]:4222'],
    hosts: ['a', 'b', '::1'],
    shown: 'nats://a, nats://b:4333, nats://[::1]',
    requiresTls: false,
  })
})

test('one tls:// address encrypts all connections', () => {
  expect(readAddresses('nats://a,tls://b')).toMatchObject({ requiresTls: true, shown: 'nats://a, tls://b' })
})

test('a login is taken out of the address, and shown nowhere', () => {
  const { login, ...others } = readAddresses('nats://us%40er:p%2Fss@a:1,nats://us%40er:p%2Fss@b:2')
  expect(login).toEqual({ user: 'us@er', pass: 'p/ss' })
  expect(JSON.stringify(others)).not.toMatch(/us|ss/)
  expect(readAddresses('nats://t0ken@a').login).toEqual({ token: 't0ken' })
})

test.each([
  ['another scheme', 'http://u:hunter2@a'],
  ['no host', 'nats://'],
  ['a password with a slash, of which a part would be the port', 'nats://a:12/hunter2@b'],
  ['a password with a number sign', 'nats://a:12#hunter2@b'],
  ['a port that is none', 'nats://u:hunter2@a:port'],
  ['a login that is not percent-encoded', 'nats://u:hunter2%zz@a'],
  ['two logins', 'nats://u:hunter2@a,nats://u:hunter3@b'],
])('%s is refused at the start, and the message does not quote the address', (_, url) => {
  expect(() => readAddresses(url)).toThrow('NATS')
  const refusal = (() => {
    try {
      return read({ NATS_URL: url })
    } catch (error) {
      return String(error)
    }
  })()
  expect(refusal).toContain('NATS_URL cannot be read')
  expect(refusal).not.toContain('hunter')
})

test('without settings there is NATS on this machine, with no login, and TLS where it is offered', () => {
  expect(natsAccess(read({}))).toEqual({ url: 'nats://127.0.0.1:4222', secretDirectory: '', tls: 'offered' })
  expect(() => read({ NATS_TLS: 'none' })).toThrow('one of offered, required, first')
})
