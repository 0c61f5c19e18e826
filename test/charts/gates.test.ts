import type { KubernetesObject, V1PodTemplateSpec } from '@kubernetes/client-node'
import { parse, parseAllDocuments } from 'yaml'
import { expect, test } from 'vitest'
import { readTrustedKeys } from '../../operator/attestation/trusted-keys.ts'
import { driveaway } from '../cli/driveaway.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { environments, render, shippedValuesOf, valuesOf } from './render.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const production = environments.filter((name) => name.startsWith('production'))

/** The environment variables of the operator, by name, and the Secrets that it mounts. */
function operatorIn(objects: KubernetesObject[]) {
  const found = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata?.name === 'driveaway-operator')
  const { containers = [], volumes = [] } =
    (found as { spec?: { template?: V1PodTemplateSpec } }).spec?.template?.spec ?? {}
  const env = Object.fromEntries((containers[0]?.env ?? []).map(({ name, value = '' }) => [name, value]))
  return { env, secrets: volumes.map(({ secret }) => secret?.secretName) }
}

const promotionPage = join(import.meta.dirname, '../../docs/promotion.md')

test.each(production)('%s as shipped is not rendered without a key, and says how to make one', async (environment) => {
  await expect(render('driveaway', environment, shippedValuesOf(environment))).rejects.toThrow(
    'no key is listed. Make one with: driveaway attestation-key --environment staging --kid staging-1',
  )
})

test.each(production)('%s with a key publishes only what staging attested, and signs nothing', async (environment) => {
  const { env, secrets } = operatorIn(await render('driveaway', environment, valuesOf(environment)))
  expect(env).toMatchObject({ PROMOTION_REQUIRED: 'true', PROMOTION_ENVIRONMENTS: 'staging' })
  expect((await readTrustedKeys(env['PROMOTION_TRUSTED_KEYS'] ?? '')).keys.length).toBe(1)
  expect(secrets).not.toContain('attestation-key')
})

test('staging as shipped signs with the key of its Secret, and asks for no attestation', async () => {
  const { env, secrets } = operatorIn(await render('driveaway', 'staging', shippedValuesOf('staging')))
  expect(env).toMatchObject({ SIGNING_ATTESTATION_KEY_FILE: '/etc/driveaway/attestation/key.json' })
  expect(env).not.toHaveProperty('PROMOTION_REQUIRED')
  expect(secrets).toContain('attestation-key')
})

test('the lines that attestation-key prints are values of both releases, and its Secret is the one that staging mounts', async () => {
  const folder = temporaryDirectory('gates')
  try {
    const { stdout } = await driveaway(['attestation-key', '--environment', 'staging', '--kid', 'staging-2026'])
    const [secret, ofStaging = '', ofProduction = ''] = stdout.split('---\n')
    const written = (name: string, text: string) => {
      writeFileSync(join(folder.path, name), text)
      return ['--values', join(folder.path, name)]
    }
    const [manifest] = parseAllDocuments(secret ?? '').map((each) => each.toJS() as KubernetesObject)
    // As the page on promotion shows them, but for the key itself.
    const shown = [...readFileSync(promotionPage, 'utf8').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(
      ([, text = '']) => text,
    )
    const ofKeys = shown
      .map((text) => parse(text) as object)
      .filter((one) => 'attestation' in one || 'promotion' in one)
    expect(ofKeys).toEqual(
      [ofStaging, ofProduction].map((text) => parse(text.replace(/"x":"[\w-]+"/, '"x":"…"')) as object),
    )
    const staging = operatorIn(
      await render('driveaway', 'staging', [...shippedValuesOf('staging'), ...written('staging.yaml', ofStaging)]),
    )
    expect(staging.secrets).toContain(manifest?.metadata?.name)
    const trusts = [...shippedValuesOf('production-apac'), ...written('production.yaml', ofProduction)]
    const { env } = operatorIn(await render('driveaway', 'apac', trusts))
    const { keys, faults } = await readTrustedKeys(env['PROMOTION_TRUSTED_KEYS'] ?? '')
    expect([faults, keys.map(({ kid, environment }) => [kid, environment])]).toEqual([
      [],
      [['staging-2026', 'staging']],
    ])
  } finally {
    folder.remove()
  }
})

const key = { kty: 'OKP', crv: 'Ed25519', x: 'B'.repeat(43), kid: 'emergency-1' }

test.each([
  ['the kid', { ...key, kid: 'staging-1' }],
  ['the key itself', { ...key, x: 'A'.repeat(43) }],
])('an emergency key that has %s of a trusted key is not rendered', async (_, emergency) => {
  const values = (one: object) => [
    ...valuesOf('production-apac'),
    ...['--set-json', `promotion.emergencyKeys=${JSON.stringify([one])}`],
  ]
  await expect(render('driveaway', 'apac', values(emergency))).rejects.toThrow(
    'has the kid or the x of staging-1 in promotion.trustedKeys',
  )
  const { env } = operatorIn(await render('driveaway', 'apac', values(key)))
  expect(JSON.parse(env['PROMOTION_EMERGENCY_KEYS'] ?? '')).toEqual([key])
})

test.each([
  [
    'signs until a day that is none',
    { ...key, environment: 'staging', signsUntil: '2027-02-31' },
    'signsUntil of the key emergency-1 is 2027-02-31, which is no day',
  ],
  [
    'is of an environment that does not count',
    { ...key, environment: 'uat' },
    'no key is of an environment in promotion.environments (staging)',
  ],
])('a release whose only key %s is not rendered', async (_, trusted, message) => {
  const keys = ['--set-json', `promotion.trustedKeys=${JSON.stringify([trusted])}`]
  await expect(render('driveaway', 'apac', [...valuesOf('production-apac'), ...keys])).rejects.toThrow(message)
})

test('a key that signs until a day that is still to come is rendered', async () => {
  const trusted = { ...key, environment: 'staging', signsUntil: '2028-02-29' }
  const keys = ['--set-json', `promotion.trustedKeys=${JSON.stringify([trusted])}`]
  const { env } = operatorIn(await render('driveaway', 'apac', [...valuesOf('production-apac'), ...keys]))
  expect(JSON.parse(env['PROMOTION_TRUSTED_KEYS'] ?? '')).toEqual([trusted])
})
