import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { keepQuoting, lineOf, quoteOf, tokenOf } from './quotes.ts'
import { applyText, rateSet, readSet } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

let stack: Stack
let token: string

beforeAll(async () => {
  stack = await startStack()
  token = await tokenOf(stack, 'dealer')
})
afterAll(() => stack?.stop())

const readyOf = async (name: string) =>
  (await readSet(stack, name)).status?.conditions?.find(({ type }) => type === 'Ready')?.status

test(
  'quotes go on while kube-apiserver is away for a minute, and changes flow again when it is back',
  { timeout: 180_000 },
  async () => {
    const pid = stack.operator().pid
    const quoting = keepQuoting(stack, token)
    await stack.controlPlane.stopApiServer()
    await sleep(60_000)
    await stack.controlPlane.startApiServer()
    await applyText(stack, rateSet('au-vic/fy27.yaml', [/44\.20/g, '45.20']))
    await waitFor('the new figure', () => lineOf(quoting.answers.at(-1)!, 'PLATES') === 4520, { timeoutMs: 60_000 })
    const answers = await quoting.stop()
    expect(answers.length).toBeGreaterThan(1000)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    // Not restarted: signal 0 asks whether the process of before is still there.
    expect(process.kill(pid, 0)).toBe(true)
  },
)

test('a deleted index is rebuilt, and no quote fails meanwhile', async () => {
  // A quote is answered before the status says so: this may be the first test.
  await waitFor('the set to be ready', async () => (await readyOf('au-vic-fy27')) === 'True')
  const before = await quoteOf(stack, token)
  const quoting = keepQuoting(stack, token)
  await stack.kubectl(['delete', 'configmap', 'driveaway-rates'])
  await waitFor('the index', () => stack.kubectl(['get', 'configmap', 'driveaway-rates', '-o', 'name']))
  const answers = await quoting.stop()
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await readyOf('au-vic-fy27')).toBe('True')
  expect((await quoteOf(stack, token)).body).toEqual(before.body)
})
