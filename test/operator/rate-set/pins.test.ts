import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetDigest } from '#rates/published/encode-rates.ts'
import { ensureBinary } from '../../../tools/binaries/ensure.ts'
import { blocksOf } from '../../docs/page.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
  await world.startOperator()
}, 90_000)
afterAll(() => world.stop())

const federal = (fee: string, year: string) => inventedSet('AU', { fee, year })
const state = (fee: string, year: string) => inventedSet('AU_VIC', { fee, year })
const pinned = (spec: RateSetSpec, pin: string): RateSetSpec => ({ ...spec, pin })

const digestIn = (spec: RateSetSpec, au: RateSetSpec) =>
  rateSetDigest(spec, [{ pricingCode: 'AU', digest: rateSetDigest(au, []) }])

// What the page of that night says is typed as it stands there.
const page = blocksOf(readFileSync(join(import.meta.dirname, '../../../docs/wrong-price.md'), 'utf8'))
const [pinIt, unpinIt] = page
  .map(({ commands }) => commands.join('\n'))
  .filter((block) => block.includes('kubectl patch'))

async function type(block: string): Promise<void> {
  const PATH = `${dirname(await ensureBinary('kubectl'))}:${process.env['PATH']}`
  const env = { ...process.env, PATH, KUBECONFIG: world.controlPlane.kubeconfig }
  execFileSync('bash', ['-ec', block], { env, stdio: 'pipe' })
}

const statusOf = async (name: string) => (await world.read('RateSet', name))?.status

test('a pinned set stays while its object and its import move on, and follows when the pin goes', async () => {
  const [au, vic] = [federal('1.00', '2026-2027'), state('10.00', '2026-2027')]
  await world.applySet(au)
  await world.applySet(vic)
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True', 'Published'])
  const pin = digestIn(vic, au)
  expect((await statusOf('au-vic-fy27'))?.digest).toBe(pin)

  await type(pinIt!)
  const same = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True', 'Pinned'])
  expect(same.message).toBe(`pinned at ${pin}`)

  // The next content has another number of examples, so that what the status counts is seen.
  const next = state('20.00', '2026-2027')
  const [example] = next.examples!
  const moved = { ...next, examples: [example!, { ...example!, name: 'the invented fee again' }] }
  // Applied as Git has it, without the pin.
  await world.applySet(moved)
  const other = await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True', 'Pinned'])
  expect(other.message).toBe(`pinned at ${pin}; the object has different content, which is not published`)
  await world.until('RateSet', 'au-vic-fy27', ['Published', 'True', 'Pinned'])
  expect(await statusOf('au-vic-fy27')).toMatchObject({ digest: pin, examples: { summary: '1/1' } })

  await world.applySet(federal('2.00', '2026-2027'))
  const held = await world.until('RateSet', 'au-fy27', ['Reconciling', 'True', 'ImporterPinned'])
  expect(held.message).toBe(
    'au-vic-fy27 imports this set and is pinned at a digest that includes the earlier content of this set',
  )
  expect([await world.fee('au-fy27'), await world.fee('au-vic-fy27')]).toEqual(['1.00', '10.00'])

  // Sets that the pin does not concern go on.
  await world.applySet(federal('7.00', '2027-2028'))
  await world.until('RateSet', 'au-fy28', ['Ready', 'True', 'Published'])

  await type(unpinIt!)
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'True', 'Published'])
  await world.until('RateSet', 'au-fy27', ['Ready', 'True', 'Published'])
  expect([await world.fee('au-fy27'), await world.fee('au-vic-fy27')]).toEqual(['2.00', '20.00'])
}, 60_000)

test('a pin goes back together with the content that it names, and one of another content changes nothing', async () => {
  const [au, before, after] = [federal('1.00', '2028-2029'), state('10.00', '2028-2029'), state('20.00', '2028-2029')]
  await world.applySet(au)
  await world.applySet(after)
  await world.until('RateSet', 'au-vic-fy29', ['Ready', 'True', 'Published'])

  const pin = digestIn(before, au)
  await world.applySet(pinned(after, pin))
  const { message } = await world.until('RateSet', 'au-vic-fy29', ['Stalled', 'True', 'CheckFailed'])
  const own = digestIn(after, au)
  expect(message).toBe(
    `spec.pin: expected ${pin}; the content of the object is ${own}, and ${own} is published (pinned)`,
  )
  expect(await world.fee('au-vic-fy29')).toBe('20.00')
  // Nor does such a pin hold the import.
  await world.applySet(federal('1.50', '2028-2029'))
  await world.until('RateSet', 'au-fy29', ['Ready', 'True', 'Published'])
  await world.applySet(au)
  await waitFor('the federal set of before', async () => (await world.fee('au-fy29')) === '1.00')

  await world.applySet(pinned(before, pin))
  await world.until('RateSet', 'au-vic-fy29', ['Ready', 'True', 'Pinned'])
  expect(await world.fee('au-vic-fy29')).toBe('10.00')
  await world.applySet(pinned(after, pin))
  await world.until('RateSet', 'au-vic-fy29', ['Ready', 'True', 'Pinned'])
  expect(await world.fee('au-vic-fy29')).toBe('10.00')
}, 60_000)

test('a set that is withdrawn is withdrawn, whatever its pin says', async () => {
  const au = federal('1.00', '2029-2030')
  await world.applySet(au)
  await world.until('RateSet', 'au-fy30', ['Ready', 'True'])
  await world.applySet({ ...pinned(au, rateSetDigest(au, [])), withdrawn: true })
  await world.until('RateSet', 'au-fy30', ['Ready', 'True', 'Withdrawn'])
  expect((await world.published()).sets.has('au-fy30')).toBe(false)
})

test('the API server takes a digest for a pin, and nothing else', async () => {
  const au = federal('1.00', '2030-2031')
  await expect(world.applySet(pinned(au, 'sha256:12'))).rejects.toThrow(/spec\.pin/)
})
