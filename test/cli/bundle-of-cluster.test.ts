import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateKeyPair } from 'jose'
import { ATTESTATION_ANNOTATION, signAttestation } from '#rates/published/attestation.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { readBundle } from '#rates/release/bundle.ts'
import { parseReleaseKeys } from '#rates/release/keys.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import type { Shadow } from '#rates/shadow/shadow.ts'
import { releaseKeeper } from '../../operator/publish/keep-release.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { inventedSet } from '../operator/invented-set.ts'
import { applySurroundings } from '../operator/manifests.ts'
import { PublishedPlace } from '../operator/publish/published-place.ts'
import { driveaway } from './driveaway.ts'
import { sideFiles } from '../../cli/side-files.ts'
import { explored } from './explored.ts'

const folder = temporaryDirectory('bundle-of-cluster')
const at = (name: string) => join(folder.path, name)
const before = process.env['KUBECONFIG']
const setsWith = (fee: string) => [inventedSet('AU'), inventedSet('AU_NSW', { fee })]
let plane: ControlPlane
let context: string
let releases: string[]
let attestation: string
beforeAll(async () => {
  plane = await startControlPlane()
  process.env['KUBECONFIG'] = plane.kubeconfig
  context = `context:${plane.kubeConfig.getCurrentContext()}`
  await applySurroundings(plane.kubeConfig)
  const cluster = { kube: kubeOf(plane.kubeConfig), namespace: 'driveaway' }
  const place = new PublishedPlace(cluster.kube, () => plane.stop())
  place.around = { keep: releaseKeeper(cluster, { days: 400, megabytes: 128, now: () => place.now() }) }
  place.restart()
  const runs = []
  for (const [fee, day] of [
    ['10.00', '2026-03-01'],
    ['20.00', '2026-04-01'],
  ] as const) {
    place.now = () => new Date(`${day}T00:00:00.000Z`)
    runs.push(await place.publish(...setsWith(fee)))
  }
  releases = runs.map(({ index }) => index.release)
  // The attestation of the state is of the first content, which the second release does not have.
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const entry = runs[0]!.index.sets.find(({ name }) => name === 'au-nsw-fy27')!
  const { pricingCode, financialYear, digest } = entry
  const claims = { pricingCode, financialYear, digest, environment: 'staging', iat: 1_770_000_000 }
  attestation = await signAttestation(claims, { kid: 'a1', key: privateKey })
  for (const spec of setsWith('10.00')) {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const annotations = name === entry.name ? { [ATTESTATION_ANNOTATION]: attestation } : {}
    const metadata = { name, namespace: 'driveaway', annotations }
    await cluster.kube.create({ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata, spec } as never)
  }
  const key = ['release-key', '--environment', 'staging', '--kid', 'r1', '--out', at('key.json')]
  writeFileSync(at('keys.json'), `[${(await driveaway(key)).stdout}]`)
}, 120_000)
afterAll(async () => {
  process.env['KUBECONFIG'] = before
  folder.remove()
  await plane.stop()
})

async function bundled(source: string, name: string) {
  const { status, stdout, stderr } = await driveaway(['bundle', source, '--key', at('key.json'), '-o', at(name)])
  if (status !== 0) return { status, stderr }
  const bytes = new Uint8Array(readFileSync(at(name)))
  const { claims, content } = await readBundle(bytes, parseReleaseKeys(readFileSync(at('keys.json'), 'utf8')))
  return {
    status,
    content,
    attestations: claims.attestations,
    said: stdout.split('\n').filter((line) => /^(release|content) /.test(line)),
  }
}

/** A folder with the rate sets of a fee. */
function filesWith(fee: string): ReturnType<typeof temporaryDirectory> {
  const sets = temporaryDirectory('sets')
  for (const spec of setsWith(fee)) {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata: { name }, spec }
    writeFileSync(join(sets.path, `${name}.yaml`), stringify(object))
  }
  return sets
}

test('the bundle of a cluster has the content of the bundle of the same files', async () => {
  for (const [index, fee] of ['10.00', '20.00'].entries()) {
    const sets = filesWith(fee)
    const ofFiles = await bundled(sets.path, 'files')
    const ofCluster = await bundled(`${context}@${releases[index]}`, 'cluster')
    expect(ofCluster.said).toEqual(ofFiles.said)
    expect(ofCluster.said).toHaveLength(2)
    sets.remove()
  }
})

test('without a release it is the one in force, and the attestations are those of exactly its sets', async () => {
  const current = await bundled(context, 'current')
  expect([current.content?.release, current.attestations]).toEqual([releases[1], {}])
  const first = await bundled(`${context}@${releases[0]}`, 'first')
  expect([first.content?.release, first.attestations]).toEqual([releases[0], { 'au-nsw-fy27': attestation }])
})

test('a release that the cluster does not keep is refused, and those that it keeps are named', async () => {
  const { status, stderr = '' } = await bundled(`${context}@sha256:${'0'.repeat(64)}`, 'unknown')
  expect([status, releases.every((release) => stderr.includes(release))]).toEqual([2, true])
})

const request = {
  ...{ pricingCode: 'AU_NSW', showroomCode: 'SYD01', purchaseDate: '2026-08-03' },
  vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new' },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 4_500_000 }] },
  registration: { startDate: '2026-08-10', termMonths: 12, type: 'new', postcode: '2000' },
}

test('driveaway quote --as-known-at prices by the release of that time, or by the release that is named', async () => {
  writeFileSync(at('request.json'), JSON.stringify(request))
  const quoted = async (...args: string[]) => {
    const call = ['quote', '-f', at('request.json'), '--output', 'json', ...args]
    const { status, stdout, stderr } = await driveaway(call)
    if (status !== 0) return [status, stderr]
    return [(JSON.parse(stdout) as { metadata: { release: string } }).metadata.release, stdout]
  }
  const known = ['--rates', context, '--as-known-at']
  const [release, text] = await quoted(...known, '2026-03-31T23:59:59+00:00')
  expect(release).toBe(releases[0])
  expect(await quoted(...known, releases[0]!)).toEqual([releases[0], text])
  expect((await quoted(...known, '2026-04-01T00:00:00Z'))[0]).toBe(releases[1])
  expect((await quoted('--rates', context))[0]).toBe(releases[1])
  expect(await quoted(...known, '2026-02-01T00:00:00Z')).toEqual([2, expect.stringContaining(releases[0]!)])
  expect(await quoted(...known, '2026-03-10')).toEqual([2, expect.stringContaining('an ISO time with a zone')])
  expect(await quoted(...known, '2036-03-10T00:00:00Z')).toEqual([2, expect.stringContaining('has not come yet')])
  expect(await quoted('--as-known-at', '2026-03-10T00:00:00Z')).toEqual([
    2,
    expect.stringContaining('--rates context:NAME'),
  ])
  writeFileSync(at('request.json'), JSON.stringify({ ...request, options: { asKnownAt: releases[0] } }))
  expect(await quoted('--rates', context)).toEqual([releases[0], text])
  expect((await quoted(...known, releases[1]!))[0]).toBe(releases[1])
  expect(await quoted()).toEqual([2, expect.stringContaining('options.asKnownAt')])
})

test('driveaway shadow compares a candidate with the release in force, or with another one that the cluster keeps', async () => {
  writeFileSync(at('requests.jsonl'), JSON.stringify(request))
  const sets = filesWith('25.00')
  const shadow = async (...args: string[]) => {
    const call = ['shadow', '--requests', at('requests.jsonl'), '--candidate', sets.path, '--format', 'json', ...args]
    const { status, stdout, stderr } = await driveaway(call)
    if (status !== 0) return [status, stderr]
    const { current, moved } = JSON.parse(stdout) as Shadow & { current: { release: string } }
    return [current.release, moved.map(({ component, sum }) => [component, sum])]
  }
  const inForce = [releases[1], [['PLATES', 500]]]
  expect(await shadow('--current', context)).toEqual(inForce)
  expect(await shadow()).toEqual(inForce)
  expect(await shadow('--current', `${context}@${releases[0]}`)).toEqual([releases[0], [['PLATES', 1500]]])
  expect(await shadow('--current', 'context:nowhere')).toEqual([2, expect.stringContaining('nowhere')])
  sets.remove()
}, 240_000)

test('driveaway explore shows the rate sets of a cluster, beside those of files', async () => {
  const sets = filesWith('25.00')
  const { label, release, old } = await explored([context, '--against', sets.path])
  expect([label, release]).toEqual([context, releases[0]])
  expect(old?.differences.map(({ pricingCode, was, is }) => [pricingCode, was, is])).toEqual([
    ['AU_NSW', '$25.00', '$10.00'],
  ])
  const [federal] = setsWith('10.00')
  expect(await sideFiles(context)).toMatchObject({
    isFixed: true,
    files: [{ name: 'au-fy27', spec: federal }, { name: 'au-nsw-fy27' }],
  })
  expect(await driveaway(['explore', 'context:nowhere', '--port', '0'])).toMatchObject({ status: 2 })
  sets.remove()
}, 120_000)
