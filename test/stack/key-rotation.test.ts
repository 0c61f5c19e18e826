import { setTimeout as sleep } from 'node:timers/promises'
import type { V1Secret } from '@kubernetes/client-node'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SigningKeys } from '#rates/published/format.ts'
import { getObject } from '#runtime/kube/apply.ts'
import type { Program } from '../../tools/stack/programs.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { sedan, tokenOf } from './quotes.ts'
import { startStack, type Stack } from './stack.ts'

let stack: Stack
let urls: string[]

beforeAll(async () => {
  const [pricingPort, healthPort] = [await freePort(), await freePort()]
  stack = await startStack((plan) => twoApis(plan, { pricingPort, healthPort }))
  urls = [stack.pricingUrl, `http://127.0.0.1:${pricingPort}`]
})
afterAll(() => stack?.stop())

/** The operator with keys that sign for two seconds, and two pricing processes behind one issuer. */
function twoApis(plan: Program[], { pricingPort, healthPort }: { pricingPort: number; healthPort: number }): Program[] {
  const named = (name: string) => plan.find((program) => program.name === name) as Program
  const [operator, pricing] = [named('operator'), named('pricing')]
  const ports = { PRICING_PORT: String(pricingPort), HEALTH_PORT: String(healthPort) }
  return [
    { ...operator, env: { ...operator.env, SIGNING_KEY_SECONDS: '2' } },
    pricing,
    { ...pricing, name: 'pricing-2', healthPort, env: { ...pricing.env, ...ports } },
  ]
}

async function quoteStatus(url: string, token: string): Promise<number> {
  const response = await fetch(`${url}/v1/quote`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(sedan),
  })
  await response.arrayBuffer()
  return response.status
}

async function signingKeys(): Promise<SigningKeys['keys']> {
  const reference = { metadata: { name: 'driveaway-signing-keys', namespace: 'driveaway' } }
  const found = await getObject<V1Secret>(stack.controlPlane.kubeConfig, {
    apiVersion: 'v1',
    kind: 'Secret',
    ...reference,
  })
  return (JSON.parse(Buffer.from(found?.data?.['keys.json'] ?? '', 'base64').toString()) as SigningKeys).keys
}

/** Asks one process for a token and uses it at the other at once, and a token of long ago at both, until stopped. */
function keepCalling(secret: string) {
  const kids = new Set<string>()
  const failures: string[] = []
  let calls = 0
  let going = true
  const run = async (at: string, other: string) => {
    const oldest = await tokenOf({ ...stack, pricingUrl: at }, 'dealer', secret)
    while (going) {
      const fresh = await tokenOf({ ...stack, pricingUrl: at }, 'dealer', secret)
      kids.add(decodeProtectedHeader(fresh).kid ?? '')
      for (const [url, token] of [
        [other, fresh],
        [at, fresh],
        [at, oldest],
        [other, oldest],
      ] as const) {
        const status = await quoteStatus(url, token)
        calls += 1
        if (status !== 200) failures.push(`${status} at ${url}`)
      }
      await sleep(5)
    }
  }
  const [one, two] = urls as [string, string]
  const running = Promise.all([run(one, two), run(two, one)])
  return {
    kids,
    stop: async () => {
      going = false
      await running
      return { calls, failures }
    },
  }
}

test('the signing key turns five times under load, and no token of either process is refused by the other', async () => {
  const calling = keepCalling(await stack.secretOf('dealer'))
  await waitFor('six keys to have signed', () => calling.kids.size >= 6, { timeoutMs: 90_000 })
  const { calls, failures } = await calling.stop()
  console.log(`${calls} calls, tokens by ${calling.kids.size} keys, ${failures.length} refused`)
  expect(failures).toEqual([])
  // Every key that signed is still published, so that its tokens live to their end.
  const states = (await signingKeys()).map(({ state }) => state)
  expect(states.filter((state) => state === 'previous').length).toBeGreaterThanOrEqual(5)
  expect(states.filter((state) => state === 'current')).toHaveLength(1)
  for (const url of urls) {
    const { keys } = (await (await fetch(`${url}/oauth/jwks`)).json()) as { keys: object[] }
    expect(keys.length).toBeGreaterThanOrEqual(6)
  }
}, 180_000)
