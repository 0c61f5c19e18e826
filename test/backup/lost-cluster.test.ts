import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { driveawayProcess } from '../cli/driveaway.ts'
import type { ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { quoteOf, tokenOf } from '../stack/quotes.ts'
import { startStack, type Choose, type Stack } from '../stack/stack.ts'

// A cluster is lost with everything in it; another one is made from Git and a backup, under the same name.
const ISSUER = 'https://pricing.example'
const choose: Choose = (plan) =>
  plan
    .filter(({ name }) => ['operator', 'pricing'].includes(name))
    .map((each) => ({ ...each, env: { ...each.env, ISSUER, AUDIENCE: ISSUER } }))

const folder = temporaryDirectory('lost-cluster')
const kept = join(folder.path, 'backup')
const identity = join(folder.path, 'identity.txt')

const on = ({ kubeconfig }: ControlPlane, args: string[]) => driveawayProcess(args, { env: { KUBECONFIG: kubeconfig } })

let lost: { secret: string; token: string; body: unknown }
let stack: Stack | undefined

beforeAll(async () => {
  const recipient = driveawayProcess(['backup-key', '--out', identity]).stdout.trim()
  stack = await startStack(choose)
  const [secret, token] = [await stack.secretOf('dealer'), await tokenOf(stack, 'dealer')]
  lost = { secret, token, body: (await quoteOf(stack, token)).body }
  const backup = on(stack.controlPlane, ['backup', kept, '--recipient', recipient, '--namespace', 'driveaway'])
  expect(backup).toMatchObject({ status: 0, stderr: 'this backup does not include NATS; --nats URL includes it\n' })
  await stack.stop()
  stack = await startStack(choose, (controlPlane) => {
    const restored = on(controlPlane, ['restore', kept, '--identity', identity, '--namespace', 'driveaway'])
    expect(restored).toMatchObject({ status: 0 })
    return Promise.resolve()
  })
}, 180_000)
afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

test('a token of the lost cluster is good in the new one, and the price is the same to the byte', async () => {
  expect(await quoteOf(stack!, lost.token)).toEqual({ status: 200, body: lost.body })
})

test('no client needs a new secret', async () => {
  expect(await stack!.secretOf('dealer')).toBe(lost.secret)
  expect(await quoteOf(stack!, await tokenOf(stack!, 'dealer', lost.secret))).toMatchObject({ status: 200 })
})

test('nothing in the backup can be read without the identity', () => {
  const files = ['backup.json', 'cluster.age'].map((name) => readFileSync(join(kept, name)))
  for (const file of files) {
    expect(file.includes(lost.secret)).toBe(false)
    expect(file.includes(Buffer.from(lost.secret).toString('base64'))).toBe(false)
    expect(file.includes('dealer')).toBe(false)
  }
})

test('a restore that is repeated finds everything there, and one of a damaged backup is refused whole', () => {
  const args = ['restore', kept, '--identity', identity, '--namespace', 'driveaway']
  expect(on(stack!.controlPlane, args)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^there already: \d+ objects/),
  })
  const file = join(kept, 'cluster.age')
  const bytes = readFileSync(file)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]))
  expect(on(stack!.controlPlane, args)).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: expect.stringContaining('cluster.age has changed since the backup: its digest differs'),
  })
})
