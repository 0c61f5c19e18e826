import { expect, test } from 'vitest'
import { shownFault } from '../../../operator/secrets/client-secret.ts'
import { world } from './secret-world.ts'

const NAMES = Array.from({ length: 100 }, (_, number) => `client-${number}`)

test('Secrets that the watch lacks and that cannot be read are one warning of each run, without their texts', async () => {
  const { secrets, unread, lines, reads, pass } = world()
  await secrets.ensure(NAMES)
  for (const name of NAMES) unread.add(name)
  pass(2000)
  await secrets.ensure(NAMES)
  expect(reads.length).toBeLessThan(20)
  const fault = expect.stringMatching(/^timeout behind .*"clientSecret":"\.\.\."/) as unknown
  const warning = { level: 'warn', unverified: 100, secret: 'client-0', fault }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining(warning)])
  expect(lines[0]).toContain('they are checked again later')
  await secrets.ensure(NAMES)
  expect(lines).toHaveLength(2)
  for (const text of NAMES.map((name) => secrets.text(name) ?? ''))
    for (const form of [text, Buffer.from(text).toString('base64')]) expect(lines.join('')).not.toContain(form)
  unread.clear()
  await secrets.ensure(NAMES)
  expect(lines).toHaveLength(2)
})

test('Secrets that wait for something more urgent are no warning', async () => {
  const { secrets, unread, lines, pass } = world()
  await secrets.ensure(['east'])
  unread.add('east')
  pass(2000)
  await secrets.ensure(['east'], () => true)
  expect(lines).toEqual([])
})

test.each([
  ['an answer that is cut off', parsing('{"data":{"clientSecret":"c2VjcmV0'), 'the answer is not JSON'],
  ['a text', new Error('told: secret, c2VjcmV0'), 'told: ..., ...'],
  ['an error without a message', new AggregateError([]), 'AggregateError'],
  ['a page of a proxy', new Error('x'.repeat(10_000)), 'x'.repeat(500)],
])('what is said of an error never shows the Secret: %s', (_, error, fault) => {
  expect(shownFault(error, 'secret')).toBe(fault)
})

test('what is said of a creation whose answer was cut off does not show the Secret', async () => {
  const { secrets } = world(() => parsing('{"data":{"clientSecret":"c2VjcmV0') as Error)
  await secrets.ensure(['east'])
  expect(secrets.fault('east')?.message).toBe('Secret east could not be created: the answer is not JSON')
})

function parsing(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error
  }
}
