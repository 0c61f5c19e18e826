import { expect, test } from 'vitest'
import { needsServer, serverless } from './needs-server.ts'

test.each([
  ['test/operator/crash.test.ts', true],
  ['test/api/contract/quote.test.ts', true],
  ['test/worker/mail/one-mail.test.ts', true],
  ['test/cli/quote.test.ts', true],
  ['test/rates/engine/quote.test.ts', false],
  ['test/notices/mailbox-changes.test.ts', false],
])('%s needs a server: %s', (file, expected) => {
  expect(needsServer(file)).toBe(expected)
})

test('make quick runs all that needs no server', () => {
  const found = serverless()
  expect(found.length).toBeGreaterThan(100)
  expect(found.filter((file) => needsServer(file))).toEqual([])
})
