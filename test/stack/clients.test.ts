import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { quoteOf, tokenOf } from './quotes.ts'
import { applyText } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack?.stop())

const client = (name: string, extra: string) => `
apiVersion: rates.driveaway.dev/v1alpha1
kind: ShowroomClient
metadata: { name: ${name} }
spec:
  displayName: ${name}
  showroomCodes: [MEL01]
  grants: [pricing:quote]
  credentials: [{ secretRef: { name: ${name} } }${extra}]
`
const secretOf = async (name: string) =>
  waitFor(`the secret of ${name}`, async () => {
    const encoded = await stack.kubectl([
      '-n',
      'driveaway-clients',
      'get',
      'secret',
      name,
      '-o',
      'jsonpath={.data.clientSecret}',
    ])
    return Buffer.from(encoded, 'base64').toString()
  })
const freshToken = async (name: string) => {
  const secret = await secretOf(name)
  return waitFor(`a token for ${name}`, () => tokenOf(stack, name, secret))
}
const codeOf = async (token: string) => {
  const { status, body } = await quoteOf(stack, token)
  return `${status} ${body.code ?? ''}`.trim()
}

test('a client is shut out by its suspension, tokens already issued included, even when another field of it is wrong', async () => {
  await applyText(stack, client('northside', ''))
  const token = await freshToken('northside')
  expect(await codeOf(token)).toBe('200')
  // Another client's subject: a fault that crosses objects, which only the operator can see.
  const subject = ', { subject: { issuer: "https://login.example.com/", subject: abc } }'
  await applyText(stack, client('southside', subject))
  await freshToken('southside')
  await applyText(stack, `${client('northside', subject)}  suspended: true\n`)
  await waitFor('northside to be shut out', async () => (await codeOf(token)) === '403 USER_INACTIVE', {
    timeoutMs: 10_000,
  })
})

test('the old tokens of a client that is deleted and made anew get 401', async () => {
  await applyText(stack, client('westside', ''))
  const token = await freshToken('westside')
  expect(await codeOf(token)).toBe('200')
  await stack.kubectl(['delete', 'showroomclient', 'westside'])
  await waitFor('the deleted client to be refused', async () => (await codeOf(token)) === '401 UNAUTHENTICATED')
  await applyText(stack, client('westside', ''))
  await freshToken('westside')
  expect(await codeOf(token)).toBe('401 UNAUTHENTICATED')
})

test('the demo dealer may not quote for a showroom that is not its own, and the suspended client not at all', async () => {
  const dealer = await quoteOf(stack, await tokenOf(stack, 'dealer'), {
    ...(await import('./quotes.ts')).sedan,
    showroomCode: 'AKL01',
  })
  expect([dealer.status, dealer.body.code]).toEqual([403, 'SHOWROOM_ACCESS_DENIED'])
  expect(await codeOf(await tokenOf(stack, 'suspended'))).toBe('403 USER_INACTIVE')
  expect(await codeOf(await tokenOf(stack, 'uploader'))).toBe('403 INSUFFICIENT_SCOPE')
})
