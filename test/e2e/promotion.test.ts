import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readAttestation } from '#rates/published/attestation.ts'
import type { RatesIndex } from '#rates/published/format.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { faultsOf, startLoad, type Answered } from './load.ts'
import { askForAttestations, askForNothing } from './promotion-settings.ts'
import { keepIndexes, setsOf, untilReadySays } from './published.ts'
import { kubectl, platesOf, tokenOf, type Release } from './release.ts'
import { startRepository, type Repository } from './repository.ts'

const staging = inject('staging')
const production = inject('production')
const folder = temporaryDirectory('promotion')
const SET = 'au-vic-fy27'
const APAC = 'rates/overlays/production-apac'

let repository: Repository
let indexes: Awaited<ReturnType<typeof keepIndexes>>
let load: ReturnType<typeof startLoad>
/** What may be in force in production, each digest of each set: what was before attestations were asked for, and what is attested. */
const proved = new Set<string>()

beforeAll(async () => {
  repository = await startRepository(folder.path, { staging, 'production-apac': production })
  for (const { digest } of (await setsOf(production)).values()) proved.add(digest)
  indexes = await keepIndexes(production)
  load = startLoad(production.pricingUrl, await tokenOf(production, 'dealer'), { connections: 1, everyMs: 50 })
  await askForAttestations(folder.path, repository, { staging, production })
})
let ended: Promise<[RatesIndex[], Answered[]]> | undefined
/** What production published and answered until now. */
const end = () => (ended ??= Promise.all([indexes(), load.stop()]))

afterAll(async () => {
  await end()
  await askForNothing(staging, production)
  folder.remove()
})

/** The results by set, or the reasons, and the exit code. */
async function promote(...more: string[]) {
  const args = ['promote', '--from', 'staging', '--to', APAC, '--today', '2026-11-21', '--output', 'json']
  const { code, stdout, stderr } = await repository.driveaway(...args, ...more)
  if (code !== 0 && code !== 1) throw new Error(stderr)
  const { sets } = JSON.parse(stdout) as {
    sets: { name: string; result: string; reason?: string; attestation?: string }[]
  }
  for (const { attestation } of sets) if (attestation) proved.add(readAttestation(attestation).claims.digest)
  return { code, said: new Map(sets.map(({ name, result, reason }) => [name, reason ?? result])) }
}

const untilPlates = (release: Release, cents: number) =>
  waitFor(`plates at ${cents} in ${release.name}`, async () => (await platesOf(release)) === cents, {
    ...{ timeoutMs: 60_000, everyMs: 300 },
  })

const untilAttested = () =>
  waitFor(
    'staging to attest all that it publishes',
    async () => {
      const states = [...(await setsOf(staging)).values()]
      const waiting = states.filter(({ attestation }) => attestation === undefined)
      if (waiting.length === 0) return states.length > 0
      throw new Error(`${waiting.length} of ${states.length} are not attested`)
    },
    { timeoutMs: 60_000, everyMs: 500 },
  )

test('what is in force when a release begins to ask for attestations stays, and its promotion changes nothing', async () => {
  const before = await setsOf(production)
  expect([...before.values()].map(({ conditions }) => conditions['Ready']?.split(' ')[0])).not.toContain('False')
  await untilAttested()
  const { code, said } = await promote()
  expect([code, said.size, ...new Set(said.values())]).toEqual([0, before.size, 'written'])
  await repository.commit('the first promotion')
  await repository.sync('production-apac')
  await untilReadySays(production, SET, 'True')
  expect(await platesOf(production)).toBe(4420)
  expect((await setsOf(production)).get(SET)?.digest).toBe(before.get(SET)?.digest)
})

test('a pull request that staging has not seen is refused by production, and by promote', async () => {
  const before = repository.digestOf(SET)
  await repository.mergePlates('46.60')
  await repository.sync('production-apac')
  const after = repository.digestOf(SET)
  const federal = repository.digestOf('au-fy27').slice('sha256:'.length, 'sha256:'.length + 12)
  const { conditions } = await untilReadySays(production, SET, 'False')
  expect(conditions).toMatchObject({
    Ready: `False AwaitingAttestation: the attestation is of ${before}, not of ${after} (with au-fy27 at ${federal})`,
    Published: `True LastGood: the last good content stays published: ${before}`,
  })
  expect(await platesOf(production)).toBe(4420)
  const { code, said } = await promote()
  expect([code, said.get(SET)]).toEqual([1, `the cluster publishes ${before}; the digest of the files is ${after}`])
})

test('staging serves and attests it, while production refuses it and keeps the old price', async () => {
  await repository.sync('staging')
  await untilPlates(staging, 4660)
  await untilAttested()
  expect((await setsOf(staging)).get(SET)?.digest).toBe(repository.digestOf(SET))
  await untilReadySays(production, SET, 'False AwaitingAttestation')
  expect(await platesOf(production)).toBe(4420)
  const status = await repository.driveaway('status', '--context', 'production-apac')
  expect(status.stdout).toMatch(/^! au-vic-fy27: AwaitingAttestation: the attestation is of sha256:/m)
  expect(status.code).toBe(1)
  const diff = await repository.driveaway('diff', 'context:staging', 'rates/sets', '--exit-code')
  expect(diff).toMatchObject({ code: 0, stdout: expect.stringContaining('publish the same') as string })
})

test('production takes it after driveaway promote, in one flip', async () => {
  const refused = await promote()
  expect(refused.said.get(SET)).toMatch(/^it changes days already past \(PLATES .*44\.20 becomes .*46\.60/)
  const { code, said } = await promote('--allow-past')
  expect([code, said.get(SET), said.get('au-fy27')]).toEqual([0, 'written', 'unchanged'])
  await repository.commit('the promotion of plates')
  await repository.sync('production-apac')
  const { digest } = await untilReadySays(production, SET, 'True')
  expect(digest).toBe(repository.digestOf(SET))
  await untilPlates(production, 4660)
})

test('a figure edited by hand after the promotion is refused, and the price stays', async () => {
  const promoted = repository.digestOf(SET)
  const object = await kubectl(production, ['get', 'rateset', SET, '-o', 'yaml'])
  await kubectl(production, ['replace', '-f', '-'], object.replaceAll('46.60', '47.70'))
  const { digest, conditions } = await untilReadySays(production, SET, 'False')
  expect(conditions['Ready']).toMatch(
    new RegExp(
      `^False AwaitingAttestation: the attestation is of ${promoted}, not of sha256:[0-9a-f]{64} \\(with au-fy27 at`,
    ),
  )
  expect(digest).toBe(promoted)
  expect(await platesOf(production)).toBe(4660)
  await repository.sync('production-apac')
  await untilReadySays(production, SET, 'True')
})

test('status asks the pods of the release that the context means, through the API server', async () => {
  const pods = ['get', 'pods', '-l', 'app.kubernetes.io/component in (pricing, inventory)', '-o', 'name']
  const namesOf = async (release: Release) =>
    (await kubectl(release, pods))
      .trim()
      .split('\n')
      .map((pod) => pod.replace('pod/', `${release.name}/`))
      .sort()
  const digest = repository.digestOf(SET)
  for (const [context, release] of Object.entries({ staging, 'production-apac': production })) {
    const names = await namesOf(release)
    const { code, stdout } = await repository.driveaway('status', '--context', context)
    const served = names.filter((name) => name.includes('pricing')).length
    const row = `^${SET} +True +${served}/${served} +${digest.slice(0, 'sha256:'.length + 12)} +20\\d\\d-\\d\\d-\\d\\dT`
    expect(stdout).toMatch(new RegExp(row, 'm'))
    const said = stdout.split('\n').filter((line) => line.startsWith(`${release.name}/`))
    expect(said.map((line) => line.split(' ')[0]).sort()).toEqual(names)
    expect(code).toBe(0)
  }
  const { stdout } = await repository.driveaway('status', '--context', 'production-apac', '--output', 'json')
  const { sets, processes } = JSON.parse(stdout) as Told
  expect(sets.map(({ name, behind }) => [name, behind])).toContainEqual([SET, []])
  expect(processes.map(({ name }) => name).sort()).toEqual(await namesOf(production))
  const pricing = processes.filter(({ loaded }) => loaded.parts.includes('rates'))
  expect(pricing.map(({ loaded }) => loaded.sets[SET])).toEqual([digest])
})

interface Told {
  sets: { name: string; behind: string[] }[]
  processes: { name: string; loaded: { parts: string[]; sets: Record<string, string> } }[]
}

test('coverage rehearses a day with what a cluster has', async () => {
  const { code, stdout } = await repository.driveaway('coverage', '--on', '2026-11-21', '--context', 'production-apac')
  expect(stdout).toMatch(/^AU_VIC +PLATES +2026-07-01 to 2027-06-30/m)
  expect(stdout).toMatch(/0 components missing/)
  expect(code).toBe(0)
})

test('a reverted pull request takes production back without a word of staging', async () => {
  await repository.revert(2)
  await repository.sync('production-apac')
  await untilPlates(production, 4420)
  await repository.sync('staging')
  await untilPlates(staging, 4420)
  for (const release of [production, staging]) await untilReadySays(release, SET, 'True')
})

test('no release that production published or served held anything unproved, and no quote failed', async () => {
  const [published, answers] = await end()
  const unproved = published.flatMap(({ sets }) => sets.filter(({ digest }) => !proved.has(digest)))
  expect(unproved).toEqual([])
  const [before, promoted] = [...new Set(published.map(({ release }) => release))]
  expect(published.map(({ release }) => release)).toEqual([before, promoted, before])
  const { failed, mixed } = faultsOf(answers)
  expect({ failed, mixed }).toEqual({ failed: [], mixed: [] })
  const releases = new Set(published.map(({ release }) => release))
  expect(answers.filter(({ release }) => !releases.has(release))).toEqual([])
  // Never back and forth: the old price, the promoted one, and after the revert the old one.
  const prices = answers.map(({ plates }) => plates)
  expect(prices.filter((plates, index) => plates !== prices[index - 1])).toEqual([4420, 4660, 4420])
})
