import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { createHolder, type Holder } from '../../../api/load/held.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { startScripted } from '../../runtime/kube/scripted-server.ts'
import { binding } from '../pricing-server.ts'
import { CONFIG_MAPS, startPublishPlace, type PublishPlace } from './publish-place.ts'

const log = createLog({ name: 'test', level: 'silent' })

let place: PublishPlace
beforeAll(async () => {
  place = await startPublishPlace()
}, 120_000)
afterAll(() => place.cluster.stop())
afterEach(() => place.kube('DELETE', CONFIG_MAPS))

/** A source of its own, of which the first request of a shard of this kind goes to a server that never answers. */
async function withoutFirstAnswer(kind: 'clients' | 'rates', run: (at: Unanswered) => Promise<void>): Promise<void> {
  const faults: string[] = []
  const own = createHolder((_part, error) => faults.push((error as Error).message))
  const silent = await startScripted(() => undefined)
  const answering = kubeOf(place.cluster.kubeConfig)
  const at: Unanswered = { holder: own, faults, unanswered: 0, isSilent: false }
  const get: Kube['get'] = (reference, options) => {
    const isFirst = at.isSilent && at.unanswered === 0 && reference.metadata.name.startsWith(`${kind}-v2-`)
    if (isFirst) at.unanswered += 1
    return (isFirst ? kubeOf(silent.kubeConfig) : answering).get(reference, options)
  }
  const following = startKubernetesSource({
    ...{ kube: { ...answering, get }, namespace: 'driveaway', log },
    ...{ holder: own, parts: [kind] },
  })
  try {
    await run(at)
  } finally {
    silent.close()
    await following.stop()
  }
}

interface Unanswered {
  holder: Holder
  faults: string[]
  unanswered: number
  isSilent: boolean
}

test('a shard of an older index without an answer does not keep a suspension away', async () => {
  const isSuspended = (at: Unanswered) => at.holder.read().clients?.byId.get('dealer')?.suspended
  await place.publishClients([binding('dealer')], 1)
  await withoutFirstAnswer('clients', async (at) => {
    await waitFor('the client', () => isSuspended(at) === false)
    at.isSilent = true
    await place.publishClients([binding('dealer'), binding('other')], 2)
    await waitFor('the request without an answer', () => at.unanswered === 1)
    await place.publishClients([binding('dealer', { suspended: true })], 3)
    await waitFor('the suspension', () => isSuspended(at) === true, { timeoutMs: 25_000 })
    // The older load gave way: neither the test nor a timeout ended it.
    expect(at.faults).toEqual([])
  })
}, 60_000)

test('a shard of an older index without an answer does not keep newer rates away, and nothing mixed is served', async () => {
  const first = await place.publish('8.40', 1)
  await withoutFirstAnswer('rates', async (at) => {
    const served = () => at.holder.read().rates?.snapshot.release
    await waitFor('the first release', () => served() === first)
    at.isSilent = true
    await place.publish('9.40', 2)
    await waitFor('the request without an answer', () => at.unanswered === 1)
    const third = await place.publish('7.40', 3)
    const releases = new Set<string | undefined>()
    await waitFor('the newer release', () => releases.add(served()).has(third), { everyMs: 2, timeoutMs: 25_000 })
    expect([...releases]).toEqual([first, third])
    expect(at.faults).toEqual([])
  })
}, 60_000)

test('a shard that has no answer within five seconds is said and read again', async () => {
  await place.publishClients([binding('dealer')], 1)
  await withoutFirstAnswer('clients', async (at) => {
    await waitFor('the client', () => at.holder.read().clients !== undefined)
    at.isSilent = true
    await place.publishClients([binding('dealer', { suspended: true })], 2)
    const isSuspended = () => at.holder.read().clients?.byId.get('dealer')?.suspended === true
    await waitFor('the suspension', isSuspended, { timeoutMs: 25_000 })
    expect(at.faults).toEqual([expect.stringMatching(/^clients-v2-.* was not read: expected an answer within 5 s$/)])
  })
}, 60_000)
