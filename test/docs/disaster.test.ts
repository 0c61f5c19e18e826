import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { V1Secret } from '@kubernetes/client-node'
import { kubeOf } from '#runtime/kube/kube.ts'
import { ensureStorage } from '../../inventory/ensure-storage.ts'
import { openStore } from '../../inventory/store.ts'
import { writeContexts } from '../../tools/stack/contexts.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { startTestNats, type TestNats } from '../harness/nats.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { STORAGE } from '../inventory/opened-store.ts'
import { applySurroundings } from '../operator/manifests.ts'
import { blocksOf } from './page.ts'
import { startShell, terminalEnvironment, type Shell } from './shell.ts'

// The commands of the page, from a cluster that is lost into a new one. Programs run in e2e/lost-production.test.ts.
const root = join(import.meta.dirname, '../..')
const folder = temporaryDirectory('disaster')
const clone = join(folder.path, 'driveaway')
const kubeconfig = join(folder.path, 'kubeconfig')
const [makeKey, backUp, backUpNats, restore, restoreNats, ...more] = blocksOf(
  readFileSync(join(root, 'docs/disaster.md'), 'utf8'),
).flatMap(({ commands }) => commands)

const secret = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace },
})
const KEYS = secret('driveaway-signing-keys', 'driveaway')

let planes: ControlPlane[]
let servers: TestNats[]
let shell: Shell
beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  planes = await Promise.all([startControlPlane(), startControlPlane()])
  servers = await Promise.all([startTestNats(), startTestNats()])
  for (const { kubeConfig } of planes) await applySurroundings(kubeConfig)
  await kubeOf(planes[0]!.kubeConfig).create({
    ...KEYS,
    type: 'Opaque',
    data: { keys: btoa('of the lost cluster') },
  } as never)
  shell = startShell(clone, terminalEnvironment({ KUBECONFIG: kubeconfig }))
}, 480_000)
afterAll(async () => {
  await shell?.close()
  await Promise.all(
    [...(planes ?? []), ...(servers ?? []).map((each) => ({ stop: () => each.close() }))].map((each) => each.stop()),
  )
  folder.remove()
})

/** A command of the page with what it leaves open, and with the address of a server of this test. */
function filledIn(command: string | undefined, recipient: string, nats: TestNats): string {
  const today = new Date().toISOString().slice(0, 10)
  return (command ?? '')
    .replace('age1…', recipient)
    .replace('nats://127.0.0.1:4222', nats.url)
    .replace(/backup-\d{4}-\d\d-\d\d/, `backup-${today}`)
    .replace('$(date +%F)', today)
}

const useContext = (plane: ControlPlane) => writeContexts(kubeconfig, { production: plane.kubeconfig })

async function storeOf(nats: TestNats) {
  const connection = await connect({ servers: nats.url })
  return { connection, store: await ensureStorage(connection, STORAGE).then(() => openStore(connection)) }
}

test('the commands of the page bring the keys and the batches of a lost cluster into a new one', async () => {
  expect(more).toEqual([])
  const [lost, built] = planes as [ControlPlane, ControlPlane]
  const [lostNats, newNats] = servers as [TestNats, TestNats]
  const { connection, store } = await storeOf(lostNats)
  await store.queue.publish('first', '{}', { clientId: 'uploader', clientUid: 'uid-1', replays: 0 })
  await connection.close()

  useContext(lost)
  const recipient = /age1[a-z0-9]+/.exec(await shell.run(makeKey!))![0]
  const type = (command: string | undefined, nats: TestNats) => shell.run(filledIn(command, recipient, nats))
  await type(backUp, lostNats)
  // The page gives both forms of the day's backup; each needs a folder of its own.
  rmSync(join(clone, `backup-${new Date().toISOString().slice(0, 10)}`), { recursive: true })
  expect(await type(backUpNats, lostNats)).toContain('BATCHES: 1 message')

  useContext(built)
  expect(await type(restore, newNats)).toContain('driveaway-signing-keys')
  const stored = await kubeOf(built.kubeConfig).get<V1Secret>(KEYS)
  expect(atob(stored?.data?.['keys'] ?? '')).toBe('of the lost cluster')
  await type(restoreNats, newNats)
  const again = await storeOf(newNats)
  expect(await again.store.queue.waiting('uploader', 'first')).toBeDefined()
  await again.connection.close()
}, 600_000)
