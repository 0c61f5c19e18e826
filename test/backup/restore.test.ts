import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { V1Secret } from '@kubernetes/client-node'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { driveaway } from '../cli/driveaway.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { applySurroundings } from '../operator/manifests.ts'

// What a backup keeps, and what a restore does with what is there already. No program runs here.
const SECRETS = 'driveaway-clients'
const TYPE = 'rates.driveaway.dev/client-secret'
const folder = temporaryDirectory('restore')
const identity = join(folder.path, 'identity.txt')
const named = (name: string, namespace: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } })
const encoded = (text: string) => Buffer.from(text).toString('base64')

let plane: ControlPlane
let empty: ControlPlane
let kube: Kube
let recipient: string
let backups = 0

beforeAll(async () => {
  ;[plane, empty] = await Promise.all([startControlPlane(), startControlPlane()])
  await applySurroundings(plane.kubeConfig)
  kube = kubeOf(plane.kubeConfig)
  recipient = (await driveaway(['backup-key', '--out', identity])).stdout.trim()
  await make('driveaway-signing-keys', 'driveaway', 'Opaque', 'keys')
  await make('northside', SECRETS, TYPE, 'of northside')
  const spec = { displayName: 'Northside', showroomCodes: ['MEL01'], grants: ['pricing:quote'] }
  const client = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
  await kube.create({
    ...{ ...client, metadata: { name: 'northside', namespace: 'driveaway' } },
    spec: { ...spec, credentials: [{ secretRef: { name: 'northside' } }] },
  } as never)
}, 120_000)
afterAll(async () => {
  await Promise.all([plane.stop(), empty.stop()])
  folder.remove()
})
beforeEach(() => void (process.env['KUBECONFIG'] = plane.kubeconfig))

const make = (name: string, namespace: string, type: string, text: string) =>
  kube.create({ ...named(name, namespace), type, data: { clientSecret: encoded(text) } } as never)

async function stored(): Promise<[string | undefined, string | undefined]> {
  const secret = await kube.get<V1Secret>(named('northside', SECRETS))
  return [secret?.type, secret?.data?.['clientSecret'] && Buffer.from(secret.data['clientSecret'], 'base64').toString()]
}

/** Puts another Secret of the client in the place of what is there. */
async function putAnother(type: string): Promise<void> {
  await kube.delete(named('northside', SECRETS))
  await make('northside', SECRETS, type, 'another')
}

async function backUp(...more: string[]) {
  const to = join(folder.path, `backup-${++backups}`)
  return { to, ...(await driveaway(['backup', to, '--recipient', recipient, '--namespace', 'driveaway', ...more])) }
}

const restore = (from: string, ...more: string[]) =>
  driveaway(['restore', from, '--identity', identity, '--namespace', 'driveaway', ...more])

test.each([
  ['of the same type, which is written over', TYPE],
  ['of another type, which is deleted first', 'Opaque'],
])('another Secret %s stays until --replace is given', async (_what, type) => {
  const { to } = await backUp()
  await putAnother(type)
  expect(await restore(to)).toMatchObject({ status: 1, stdout: `Secret ${SECRETS}/northside: a different object exists\n` })
  const dry = await restore(to, '--replace', '--dry-run')
  expect(dry).toMatchObject({ status: 0, stderr: expect.stringContaining('dry run: nothing was restored\n') })
  expect(dry.stdout).toContain(`Secret ${SECRETS}/northside: would be replaced\n`)
  expect(dry.stdout).not.toMatch(/: (created|identity restored|replaced)$/m)
  expect(await stored()).toEqual([type, 'another'])
  expect((await restore(to, '--replace')).stdout).toContain(`Secret ${SECRETS}/northside: replaced`)
  expect(await stored()).toEqual([TYPE, 'of northside'])
})

test('a Secret that a client needs and that is not there is named, and so is one that --secret names', async () => {
  await kube.delete(named('northside', SECRETS))
  const { status, stderr, to } = await backUp('--secret', 'attestation-key', '--secret', 'driveaway-signing-keys')
  await make('northside', SECRETS, TYPE, 'of northside')
  expect(status).toBe(1)
  expect(stderr).toContain('not in the backup, because it does not exist: Secret northside of client northside\n')
  expect(stderr).toContain('not in the backup, because it does not exist: Secret attestation-key\n')
  expect(JSON.parse(readFileSync(join(to, 'backup.json'), 'utf8'))).toMatchObject({
    objects: { Secret: 1, ShowroomClient: 1 },
  })
  expect(readdirSync(to).sort()).toEqual(['backup.json', 'cluster.age'])
})

test('a backup that was cut short has no manifest and is refused', async () => {
  const { to, status } = await backUp()
  expect(status).toBe(0)
  rmSync(join(to, 'backup.json'))
  expect(await restore(to)).toMatchObject({ status: 1, stderr: expect.stringContaining('has no backup.json') })
})

test('an identity of somebody else opens nothing, and one that is mistyped is not quoted', async () => {
  const { to } = await backUp()
  const other = join(folder.path, 'other.txt')
  await driveaway(['backup-key', '--out', other])
  const wrong = await driveaway(['restore', to, '--identity', other, '--namespace', 'driveaway'])
  expect(wrong).toMatchObject({ status: 1, stderr: expect.stringContaining('no identity matched') })
  const line = readFileSync(other, 'utf8').split('\n')[1]!
  const mistyped = join(folder.path, 'mistyped.txt')
  writeFileSync(mistyped, `${line.slice(0, -4)}QQQQ\n`)
  const { status, stderr } = await driveaway(['restore', to, '--identity', mistyped])
  expect([status, stderr]).toEqual([2, `${mistyped}:1 is not an age identity: it is truncated or mistyped\n`])
})

test('into a cluster without the kinds nothing is restored', async () => {
  const { to } = await backUp()
  process.env['KUBECONFIG'] = empty.kubeconfig
  const { status, stderr } = await restore(to)
  expect([status, stderr]).toEqual([2, expect.stringContaining('first install charts/driveaway-crds')])
})
