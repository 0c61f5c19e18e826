import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { KEPT_RELEASE_LABEL, readKept } from '#rates/release/kept-release.ts'
import type { KubeRequest } from '#runtime/kube/request.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { releaseKeeper } from '../../../operator/publish/keep-release.ts'
import { inventedSet } from '../invented-set.ts'
import { startPublishedPlace, type PublishedPlace } from './published-place.ts'

// The publisher on a real kube-apiserver, some of whose answers the keeper never receives.
const namespace = 'driveaway'
const path = `/api/v1/namespaces/${namespace}/configmaps`
const DAY = 86_400_000
/** What the answer may take that a client does not limit. */
const UNLIMITED_MS = { page: 60_000, other: 30_000 }
type Verb = 'page' | 'get' | 'create' | 'patchMetadata' | 'delete'
let place: PublishedPlace
let time = Date.parse('2026-03-01T00:00:00.000Z')
let unanswered: Verb | undefined
let waitedMs = 0
/** The releases whose copy is said to have been deleted. */
const told: string[] = []
const log = { warn: ({ release }: { release: string }) => void told.push(release) } as never
beforeAll(async () => {
  place = await startPublishedPlace()
  place.now = () => new Date(time)
}, 120_000)
afterAll(() => place.stop())
beforeEach(async () => {
  unanswered = undefined
  waitedMs = 0
  told.length = 0
  const items = await kept()
  await place.remove(...items.map(({ name }) => name))
  place.around = {
    keep: releaseKeeper({ kube: lossy(), namespace }, { days: 10, megabytes: 128, now: () => place.now(), log }),
  }
  place.restart()
})

/** A request without an answer costs the time that its client gives it. */
function lossy(): Kube {
  const { kube } = place
  const lost = (verb: Verb, timeoutMs?: number) => {
    if (verb !== unanswered) return false
    waitedMs += timeoutMs ?? (verb === 'page' ? UNLIMITED_MS.page : UNLIMITED_MS.other)
    return true
  }
  const timeout = () => Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  const sent = (options: Pick<KubeRequest, 'timeoutMs'> = {}) => options.timeoutMs
  return {
    ...kube,
    get: (...all) => (lost('get', sent(all[1])) ? timeout() : kube.get(...all)),
    create: (...all) => (lost('create', sent(all[1])) ? timeout() : kube.create(...all)),
    patchMetadata: (...all) => (lost('patchMetadata', sent(all[2])) ? timeout() : kube.patchMetadata(...all)),
    delete: (...all) => (lost('delete', sent(all[2])) ? timeout() : kube.delete(...all)),
    page: (options) => (lost('page', options.timeoutMs) ? timeout() : kube.page(options)),
  }
}

async function publish(fee: string) {
  return place.publish(inventedSet('AU'), inventedSet('AU_NSW', { fee }))
}

async function kept() {
  const { items } = await listAll(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  return items.flatMap((item) => readKept(item) ?? [])
}

test.each([
  ['page', 10_000],
  ['create', 5000],
  ['patchMetadata', 5000],
  ['delete', 5000],
] as const)('a publication waits only briefly for an answer to %s of what is kept', async (verb, limitMs) => {
  for (const fee of ['1.00', '2.00', '3.00', '4.00']) {
    await publish(fee)
    time += DAY
  }
  time += 100 * DAY
  if (verb !== 'delete') await publish('4.00')
  unanswered = verb
  const run = await publish(verb === 'delete' ? '4.00' : '5.00')
  expect(run.untidy?.message).toContain('timeout')
  expect(waitedMs).toBeGreaterThan(0)
  expect(waitedMs).toBeLessThanOrEqual(limitMs)
  unanswered = undefined
  time += DAY
  const again = await publish(verb === 'delete' ? '4.00' : '5.00')
  expect(again.untidy).toBeUndefined()
  expect((await kept()).map(({ release }) => release)).toContain(run.index.release)
})

test.each(['page', 'create'] as const)(
  'releases that are replaced before %s is answered are kept once it is, with their times',
  async (verb) => {
    unanswered = verb
    const releases: string[] = []
    for (const fee of ['11.00', '12.00', '13.00']) {
      releases.push((await publish(fee)).index.release)
      time += DAY
    }
    unanswered = undefined
    const run = await publish('13.00')
    expect(run.untidy).toBeUndefined()
    const found = await kept()
    expect(found.map(({ release }) => release)).toEqual(expect.arrayContaining(releases))
    for (const { inForce, release } of found) expect(inForce.at(-1)?.until === undefined).toBe(release === releases[2])
    // Nobody deleted what was never stored.
    expect(told.filter((release) => releases.includes(release))).toEqual([])
  },
)
