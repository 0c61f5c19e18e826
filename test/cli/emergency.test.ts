import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_MOST_HOURS, MOST_HOURS } from '#rates/published/emergency.ts'
import { parse } from 'yaml'
import { promotionOf } from '../../operator/attestation/from-configuration.ts'
import { readOperatorConfiguration } from '../../operator/configuration.ts'
import { createLog } from '#runtime/log.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

// What a person may sign in the night without staging, and with which key file.
const folder = temporaryDirectory('emergency')
afterAll(() => folder.remove())
const at = (path: string) => join(folder.path, path)
const overlay = at('overlay')

beforeAll(async () => {
  cpSync('rates/overlays/production-apac', overlay, { recursive: true })
  cpSync('rates/sets/au/fy27.yaml', at('sets/fy27.yaml'))
  await driveaway(['attestation-key', '--emergency', '--kid', 'emergency-1', '--out', at('emergency.json')])
  await driveaway(['attestation-key', '--environment', 'staging', '--kid', 'staging-1', '--out', at('staging.json')])
  await driveaway(['release-key', '--environment', 'staging', '--kid', 'release-1', '--out', at('release.json')])
})

const sign = (key: string, ...more: string[]) =>
  driveaway([
    ...['promote', '--emergency', '--reason', 'wrong', '--set', 'au-fy27', '--rates', at('sets'), '--to', overlay],
    ...['--key', at(key), ...more],
  ])
const patches = () => readdirSync(join(overlay, 'attestations'))

test('an end that no production can accept is refused, with the bound, and nothing is written', async () => {
  const before = patches()
  const { status, stderr } = await sign('emergency.json', '--hours', '721')
  expect(stderr).toContain(
    '--hours: no production accepts more than 720, the most that promotion.emergencyHours can be; found 721',
  )
  expect([status, patches()]).toEqual([2, before])
})

test('an end that a production accepts only by its values is signed, and that is said', async () => {
  const { status, stderr } = await sign('emergency.json', '--hours', '73')
  expect(stderr).toBe(
    '--hours 73: production accepts at most promotion.emergencyHours, which is 72 unless its values say otherwise\n',
  )
  expect(status).toBe(0)
  expect(await sign('emergency.json', '--hours', '72')).toMatchObject({ status: 0, stderr: '' })
})

test('the bounds are those of the chart', () => {
  const read = (file: string): unknown => parse(readFileSync(join('charts/driveaway', file), 'utf8'))
  const bound = { emergencyHours: { maximum: MOST_HOURS } }
  expect(read('values.schema.json')).toMatchObject({ properties: { promotion: { properties: bound } } })
  expect(read('values.yaml')).toMatchObject({ promotion: { emergencyHours: DEFAULT_MOST_HOURS } })
})

test.each(['staging.json', 'release.json'])('the key file %s signs no emergency', async (file) => {
  const { status, stderr } = await sign(file)
  expect(stderr).toContain(`${at(file)} holds a key for another purpose: expected emergency`)
  expect(status).toBe(2)
})

test('an emergency key is no key by which a cluster attests', async () => {
  const env = { NAMESPACE: 'driveaway', CLIENT_SECRETS_NAMESPACE: 'driveaway-clients', ISSUER: 'https://a.example/' }
  const signing = (file: string) =>
    promotionOf(
      readOperatorConfiguration({ ...env, ENVIRONMENT: 'staging', SIGNING_ATTESTATION_KEY_FILE: at(file) }),
      createLog({ name: 'test', level: 'silent' }),
    )
  await expect(signing('emergency.json')).rejects.toThrow('holds a key for another purpose: expected attestation')
  expect(await signing('staging.json')).toHaveProperty('attester')
})
