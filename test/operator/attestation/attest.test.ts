import { expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { readAttestation, verifyAttestation } from '#rates/published/attestation.ts'
import { attester } from '../../../operator/attestation/attest.ts'
import type { Soaking } from '../../../operator/rate-set/promotion.ts'
import { newKey } from './keys.ts'

const key = await newKey('staging-1', 'staging')
const terms = { environment: 'staging', soakMs: 3_600_000 }
const servedSince = '2026-11-21T10:00:00.000Z'
const attested = { pricingCode: 'AU_VIC', financialYear: '2026-2027', digest: `sha256:${'a'.repeat(64)}` }
const soaking: Soaking = { ...attested, servedSince, isInForce: true }
const log = createLog({ name: 'test', level: 'silent' })

const attestAt = (time: string, of: Soaking = soaking, by: () => Promise<typeof key> = () => Promise.resolve(key)) =>
  attester(terms, { readKey: by, now: () => new Date(time), log }).attest(of)
const tokenAt = async (time: string) => (await attestAt(time)).attestation ?? ''

test('nothing is attested before every process has served it for the soak time, and then it is looked at again', async () => {
  expect(await attestAt('2026-11-21T10:59:59Z')).toEqual({ after: 1000 })
  expect(await attestAt('2026-11-21T12:00:00Z', { ...attested, isInForce: true })).toEqual({})
})

test('after the soak time the word names place, set and digest, and has no end', async () => {
  const token = await tokenAt('2026-11-21T11:00:00Z')
  const now = new Date('2026-11-21T11:00:01Z')
  const keys = [{ kid: key.kid, environment: 'staging', key: key.publicKey }]
  const { claims } = await verifyAttestation(token, attested, { keys, environments: ['staging'], now })
  expect(claims).toMatchObject({ ...attested, environment: 'staging' })
  expect(claims).not.toHaveProperty('exp')
})

test('what is not in force at the moment is not attested, and keeps the word that it has', async () => {
  expect(await attestAt('2026-11-21T12:00:00Z', { ...soaking, isInForce: false })).toEqual({})
  const attestation = await tokenAt('2026-11-21T11:00:00Z')
  const away = await attestAt('2026-11-21T12:00:00Z', { ...soaking, isInForce: false, attestation })
  expect(away.attestation).toBe(attestation)
})

test('a word is given once: years later it is still the same', async () => {
  const attestation = await tokenAt('2026-11-21T11:00:00Z')
  expect((await attestAt('2028-11-21T11:00:00Z', { ...soaking, attestation })).attestation).toBe(attestation)
})

test('a word by an earlier key, of another digest or by nobody is replaced', async () => {
  const attestation = await tokenAt('2026-11-21T11:00:00Z')
  const second = await newKey('staging-2', 'staging')
  const turned = await attestAt('2026-11-21T11:01:00Z', { ...soaking, attestation }, () => Promise.resolve(second))
  expect(readAttestation(turned.attestation ?? '').kid).toBe('staging-2')
  const digest = `sha256:${'b'.repeat(64)}`
  const other = await attestAt('2026-11-21T11:01:00Z', { ...soaking, digest, attestation })
  expect(readAttestation(other.attestation ?? '').claims.digest).toBe(digest)
  const forged = await attestAt('2026-11-21T11:01:00Z', { ...soaking, attestation: 'a.b.c' })
  expect(readAttestation(forged.attestation ?? '').kid).toBe('staging-1')
})

test('a key that cannot be read keeps the word that there is, and is tried again', async () => {
  const attestation = await tokenAt('2026-11-21T11:00:00Z')
  const gone = () => Promise.reject(new Error('no such file'))
  expect(await attestAt('2026-11-28T12:00:00Z', { ...soaking, attestation }, gone)).toEqual({
    ...{ attestation, after: 60_000 },
  })
})

test('a rotated key and a clock that was set are noticed within ten minutes', async () => {
  const { after } = await attestAt('2026-11-21T11:00:00Z')
  expect(after).toBeLessThanOrEqual(600_000)
})
