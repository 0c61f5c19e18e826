import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { promotionOf } from '../../../operator/attestation/from-configuration.ts'
import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { readOperatorConfiguration } from '../../../operator/configuration.ts'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'
import { newKey, writeKey } from './keys.ts'

const folder = temporaryDirectory('keys')
afterAll(() => folder.remove())
const log = createLog({ name: 'test', level: 'silent' })
const staging = await newKey('staging-1', 'staging')
const base = { NAMESPACE: 'driveaway', CLIENT_SECRETS_NAMESPACE: 'driveaway-clients', ISSUER: 'https://a.example/' }

const faultsOf = (env: Record<string, string>) =>
  promotionOf(readOperatorConfiguration({ ...base, ...env }), log).then(
    (promotion) => Object.keys(promotion).join(' '),
    (error: Error) => error.message,
  )
const requiring = (keys: unknown, environments = 'staging') => ({
  ...{ PROMOTION_REQUIRED: 'true', PROMOTION_TRUSTED_KEYS: JSON.stringify(keys), PROMOTION_ENVIRONMENTS: environments },
})
const written = (name: string, text: string) => {
  const file = join(folder.path, name)
  writeFileSync(file, text)
  return file
}

test('without a key nothing is attested, and without promotion.required nothing is refused', async () => {
  expect(await faultsOf({})).toBe('')
})

test('an environment in the middle attests and requires', async () => {
  const file = writeKey(join(folder.path, 'good.json'), staging)
  const env = { ENVIRONMENT: 'staging', SIGNING_ATTESTATION_KEY_FILE: file, ...requiring([staging.trusted]) }
  expect(await faultsOf(env)).toBe('attester gate')
  expect(await faultsOf({ ...env, ENVIRONMENT: '' })).toContain('ENVIRONMENT is not set')
})

test('promotion that is required needs keys and environments', async () => {
  const message = await faultsOf(requiring([], ''))
  expect(message).toContain('PROMOTION_TRUSTED_KEYS is empty')
  expect(message).toContain('PROMOTION_ENVIRONMENTS is not set')
})

test.each([
  ['no list', {}, 'expected a JSON list'],
  ['a private key', [{ ...staging.private, environment: 'staging' }], '[0] contains a private key'],
  ['no kid', [{ ...staging.trusted, kid: '' }], '[0] has no kid'],
  ['no environment', [{ ...staging.trusted, environment: undefined }], '(staging-1) has no environment'],
  ['another curve', [{ ...staging.trusted, crv: 'P-256' }], 'is not an Ed25519 public key'],
  ['half a key', [{ ...staging.trusted, x: 'AAAA' }], 'is not an Ed25519 public key'],
  ['a last day that is none', [{ ...staging.trusted, signsUntil: '2026-02-30' }], '(staging-1) has a signsUntil'],
  ['a kid twice', [staging.trusted, staging.trusted], 'two keys have the kid staging-1'],
  ['nothing', [null], '[0] has no kid'],
])('trusted keys with %s are refused', async (_, keys, message) => {
  expect(await faultsOf(requiring(keys))).toContain(message)
})

const emergency = (await newKey('emergency-1', 'any')).trusted

test.each([
  ['no list', {}, 'expected a JSON list'],
  ['a private key', [{ ...staging.private, kid: 'emergency-1' }], '[0] contains a private key'],
  ['no kid', [{ ...emergency, kid: '' }], '[0] has no kid'],
  ['a kid twice', [emergency, emergency], 'two keys have the kid emergency-1'],
  ['a kid of a trusted key', [{ ...emergency, kid: 'staging-1' }], 'a kid is also in PROMOTION_TRUSTED_KEYS'],
])('emergency keys with %s are refused', async (_case, keys, message) => {
  const env = { ...requiring([staging.trusted]), PROMOTION_EMERGENCY_KEYS: JSON.stringify(keys) }
  expect(await faultsOf(env)).toContain('PROMOTION_EMERGENCY_KEYS: ')
  expect(await faultsOf(env)).toContain(message)
})

test('a file that is no private key is refused, and no word says what stands in it', async () => {
  const secret = String(staging.private.d)
  for (const [name, text] of Object.entries({
    broken: `{"kty":"OKP","d":"${secret}`,
    bare: secret,
    public: JSON.stringify(staging.trusted),
    nameless: JSON.stringify({ ...staging.private, kid: undefined }),
  })) {
    const file = written(name, text)
    const error = await readSigningKey(file).catch((thrown: Error) => thrown)
    expect(String((error as Error).message)).toContain('does not hold a private Ed25519 key')
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret.slice(0, 8))
    expect(await faultsOf({ ENVIRONMENT: 'staging', SIGNING_ATTESTATION_KEY_FILE: file })).not.toContain(
      secret.slice(0, 8),
    )
  }
})

test('the end of an environment’s keys is shown by the key that ends last, and not where one has no end', async () => {
  const endsOf = async (...keys: object[]) => {
    const registry = new Registry()
    await promotionOf(readOperatorConfiguration({ ...base, ...requiring(keys) }), log, registry)
    return [...(await registry.metrics()).matchAll(/^driveaway_attestation_keys_end\S*\{(.*)\} (\d+)$/gm)].map((each) =>
      each.slice(1),
    )
  }
  const key = (kid: string, signsUntil?: string) => ({ ...staging.trusted, kid, ...(signsUntil && { signsUntil }) })
  const end = String(Date.parse('2027-03-01T00:00:00Z') / 1000)
  expect(await endsOf(key('a', '2026-01-31'), key('b', '2027-02-28'))).toEqual([['environment="staging"', end]])
  expect(await endsOf(key('a', '2026-01-31'), key('b'))).toEqual([])
})
