import { randomBytes } from 'node:crypto'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { namedSpecs } from '#rates/files/compile.ts'
import { KEPT_RELEASE_LABEL, keptConfigMap, keptName, packedIn, readKept } from '#rates/release/kept-release.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import { encodeRatesIndex } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { contentOf, entriesOf } from '#rates/release/bundle-content.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import { releaseKeeper } from '../../../operator/publish/keep-release.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { committedFiles } from '../../rates/committed-files.ts'
import { inventedSet } from '../invented-set.ts'
import { applySurroundings } from '../manifests.ts'
import { PublishedPlace } from './published-place.ts'

// The publisher on a real kube-apiserver; the keeper has the rights of the operator, and no more.
const namespace = 'driveaway'
const path = `/api/v1/namespaces/${namespace}/configmaps`
const DAY = 86_400_000
const federal = inventedSet('AU')
const at = (fee: string) => [federal, inventedSet('AU_NSW', { fee })]
let plane: ControlPlane
let place: PublishedPlace
let operator: Kube
let time: number
const storedAgain: string[] = []
beforeAll(async () => {
  plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  operator = kubeOf(plane.kubeConfigFor('driveaway-operator'))
  place = new PublishedPlace(kubeOf(plane.kubeConfig), () => plane.stop())
}, 120_000)
afterAll(() => place.stop())
beforeEach(async () => {
  time = Date.parse('2026-03-01T00:00:00.000Z')
  place.now = () => new Date(time)
  keeping({ days: 400, megabytes: 128 })
  storedAgain.length = 0
  for (const { metadata } of (await listAll<V1ConfigMap>(place.kube, { path })).items) {
    const name = metadata?.name ?? ''
    if (name !== 'kube-root-ca.crt') await remove(name)
  }
})

/** The next operator: it remembers nothing, and keeps by these rules. */
function keeping(rules: { days: number; megabytes: number }, kube = operator): void {
  const log = { warn: ({ release }: { release?: string }) => void storedAgain.push(release ?? '') }
  place.around = { keep: releaseKeeper({ kube, namespace }, { ...rules, log, now: () => place.now() }) }
  place.restart()
}

/** Publishes after some days, and returns the release. */
async function publishAfter(days: number, fee: string): Promise<string> {
  time += days * DAY
  const run = await place.publish(...at(fee))
  expect(run.untidy).toBeUndefined()
  return run.index.release
}

const remove = (name: string) =>
  place.kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } })

/** What is kept: by release, the days on which it was in force. */
async function kept(): Promise<Record<string, string[]>> {
  const { items } = await listAll(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  const day = (time = '') => time.slice(0, 10)
  return Object.fromEntries(
    items.map((item) => {
      const { release, inForce } = readKept(item)!
      return [release, inForce.map(({ since, until }) => `${day(since)} to ${day(until)}`)]
    }),
  )
}

test('each release is kept with the times at which it was in force, one that comes back too', async () => {
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(5, '20.00')
  expect(await publishAfter(2, '10.00')).toBe(first)
  expect(await publishAfter(1, '10.00')).toBe(first)
  expect(await kept()).toEqual({
    [first]: ['2026-03-01 to 2026-03-06', '2026-03-08 to '],
    [second]: ['2026-03-06 to 2026-03-08'],
  })
})

test('of the releases that an operator missed, the last one is kept with its times; of the others nothing is said', async () => {
  const first = await publishAfter(0, '10.00')
  place.around = {}
  place.restart()
  await publishAfter(3, '20.00')
  const third = await publishAfter(2, '30.00')
  keeping({ days: 400, megabytes: 128 })
  const fourth = await publishAfter(2, '40.00')
  expect(await kept()).toEqual({
    [first]: ['2026-03-01 to 2026-03-04'],
    [third]: ['2026-03-06 to 2026-03-08'],
    [fourth]: ['2026-03-08 to '],
  })
})

test('a release goes when its days after the next one are over, the present one never', async () => {
  keeping({ days: 10, megabytes: 128 })
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(50, '20.00')
  expect(Object.keys(await kept()).toSorted()).toEqual([first, second].toSorted())
  await publishAfter(11, '20.00')
  expect(Object.keys(await kept())).toEqual([second])
  await publishAfter(1000, '20.00')
  expect(Object.keys(await kept())).toEqual([second])
})

test('beyond the megabytes the oldest release goes, the present one never', async () => {
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(1, '20.00')
  const third = await publishAfter(1, '30.00')
  const { items } = await listAll(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  const bytes = Math.max(...items.map((item) => readKept(item)!.bytes))
  expect(bytes).toBeGreaterThan(500)
  keeping({ days: 400, megabytes: (1.2 * bytes) / 1e6 })
  await publishAfter(1, '30.00')
  const names = Object.keys(await kept())
  expect([names.includes(first), names.includes(second), names.includes(third)]).toEqual([false, true, true])
  keeping({ days: 400, megabytes: 1 / 1e6 })
  await publishAfter(1, '30.00')
  expect(Object.keys(await kept())).toEqual([third])
})

/** A release that packs to two megabytes, as no rate sets that pass the checks do. */
function tooLarge() {
  const set = inventedSet('AU_NSW')
  const description = randomBytes(2_000_000).toString('hex')
  const spec = { ...set, rules: set.rules.map((rule) => ({ ...rule, description })) }
  const named = [federal, spec].map((each) => ({ name: rateSetName(each.pricingCode, each.financialYear), spec: each }))
  const entries = entriesOf(named)
  const specs = new Map(entries.map(({ encoded, spec: of }) => [encoded.entry.specDigest, of]))
  const sets = entries.map(({ encoded }) => encoded.entry)
  const specOf = ({ specDigest }: RateSetEntry) => specs.get(specDigest)
  return { index: encodeRatesIndex(sets, 9), history: undefined, specOf }
}

test('a release that packs to more than a ConfigMap holds is known and not kept; the others end and go all the same', async () => {
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(5, '20.00')
  const large = tooLarge()
  const keep = releaseKeeper({ kube: operator, namespace }, { days: 10, megabytes: 128, now: () => place.now() })
  time += 8 * DAY
  await expect(keep(large)).rejects.toThrow(
    /cannot be kept: packed it takes 2\d{6} bytes, and a ConfigMap holds 1048576/,
  )
  expect(await kept()).toEqual({
    [first]: ['2026-03-01 to 2026-03-06'],
    [second]: ['2026-03-06 to 2026-03-14'],
    [large.index.release]: ['2026-03-14 to '],
  })
  const { items } = await listAll(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  const found = items.flatMap((item) => readKept(item) ?? []).find(({ release }) => release === large.index.release)
  expect([found?.bytes, found?.notKept]).toEqual([0, expect.stringContaining('a ConfigMap holds')])
  time += 3 * DAY
  await keep(large)
  expect(Object.keys(await kept()).toSorted()).toEqual([second, large.index.release].toSorted())
})

test('a release that cannot be written hinders no other', async () => {
  keeping({ days: 10, megabytes: 128 })
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(5, '20.00')
  const third = contentOf(
    at('30.00').map((spec) => ({ name: rateSetName(spec.pricingCode, spec.financialYear), spec })),
  ).release
  // Somebody has taken the name of the next one.
  const same = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: keptName(third), namespace } }
  await place.kube.create(same, { fieldManager: 'somebody' })
  time += 8 * DAY
  const run = await place.publish(...at('30.00'))
  expect([run.index.release, run.untidy?.message]).toEqual([third, expect.stringContaining('already exists')])
  expect(await kept()).toEqual({ [first]: ['2026-03-01 to 2026-03-06'], [second]: ['2026-03-06 to 2026-03-14'] })
  time += 9 * DAY
  expect((await place.publish(...at('30.00'))).untidy).toBeDefined()
  expect(Object.keys(await kept())).toEqual([second])
  await remove(keptName(third))
  expect((await place.publish(...at('30.00'))).untidy).toBeUndefined()
  expect(Object.keys(await kept()).toSorted()).toEqual([second, third].toSorted())
})

test('a release that somebody deletes is gone alone; the present one is back at the first look after a minute', async () => {
  const first = await publishAfter(0, '10.00')
  const second = await publishAfter(1, '20.00')
  const third = await publishAfter(1, '30.00')
  await remove(keptName(first))
  await remove(keptName(third))
  await publishAfter(0, '30.00')
  expect(Object.keys(await kept())).toEqual([second])
  await publishAfter(1 / 24 / 60, '30.00')
  expect(await kept()).toMatchObject({ [second]: ['2026-03-02 to 2026-03-03'], [third]: ['2026-03-03 to '] })
  expect(storedAgain).toEqual([third])
})

test('a release in force that somebody deletes before the next one is in force is kept with its times and its content', async () => {
  const first = await publishAfter(0, '10.00')
  const packed = async (release: string) => {
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: keptName(release), namespace } }
    return packedIn(await place.kube.get<V1ConfigMap>(reference))
  }
  const content = await packed(first)
  await remove(keptName(first))
  const second = await publishAfter(2, '20.00')
  // The next operator knows nothing of the release but what is published.
  await remove(keptName(second))
  keeping({ days: 400, megabytes: 128 })
  const third = await publishAfter(1, '30.00')
  expect(await kept()).toEqual({
    [first]: ['2026-03-01 to 2026-03-03'],
    [second]: ['2026-03-03 to 2026-03-04'],
    [third]: ['2026-03-04 to '],
  })
  expect(storedAgain).toEqual([first, second])
  expect([content === undefined, await packed(first)]).toEqual([false, content])
  expect(await packed(second)).toBeDefined()
})

test.each([
  ['is never stored', false],
  ['is stored without an answer', true],
])('a release whose copy %s is not said to have been deleted when the next one replaces it', async (_, isTaken) => {
  const first = await publishAfter(0, '10.00')
  let isAway = true
  const create: Kube['create'] = async (object, options) => {
    const made = isAway && !isTaken ? undefined : await operator.create<never>(object, options)
    if (isAway || !made) throw new Error('no answer')
    return made
  }
  keeping({ days: 400, megabytes: 128 }, { ...operator, create })
  time += DAY
  const { index, untidy } = await place.publish(...at('20.00'))
  expect(untidy?.message).toBe('no answer')
  isAway = false
  const third = await publishAfter(1, '30.00')
  expect(Object.keys(await kept()).toSorted()).toEqual([first, index.release, third].toSorted())
  expect(storedAgain).toEqual([])
  // What was stored and is deleted is still told.
  await remove(keptName(third))
  await publishAfter(1, '40.00')
  expect(storedAgain).toEqual([third])
})

test('the watch of shards receives no kept release, and a list of what is kept receives no content', async () => {
  await publishAfter(0, '10.00')
  await publishAfter(1, '20.00')
  const published = await listAll<V1ConfigMap>(place.kube, { path, labelSelector: 'rates.driveaway.dev/published' })
  expect(published.items.filter(({ metadata }) => metadata?.name?.startsWith('release-'))).toEqual([])
  const whole = await listAll<V1ConfigMap>(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL })
  expect(whole.items.map((item) => packedIn(item) !== undefined && item.immutable)).toEqual([true, true])
  const names = await listAll<V1ConfigMap>(place.kube, { path, labelSelector: KEPT_RELEASE_LABEL, metadataOnly: true })
  expect(names.items.map((item) => packedIn(item))).toEqual([undefined, undefined])
})

test('all committed rates take less than 90 kB as a kept release: 128 MB hold more than 1,400 of them', () => {
  const entries = entriesOf(namedSpecs(committedFiles))
  const specs = new Map(entries.map(({ encoded, spec }) => [encoded.entry.specDigest, spec]))
  const index = encodeRatesIndex(
    entries.map(({ encoded }) => encoded.entry),
    1,
  )
  const object = keptConfigMap(namespace, index, ({ specDigest }) => specs.get(specDigest), [
    { since: '2026-03-01T00:00:00Z' },
  ])!
  const bytes = readKept(object)!.bytes
  expect(bytes).toBe(Buffer.from(packedIn(object)!, 'base64').length)
  expect(bytes).toBeGreaterThan(40_000)
  expect(bytes).toBeLessThan(90_000)
})
