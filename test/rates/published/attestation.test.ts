import { expect, test } from 'vitest'
import { CompactSign, UnsecuredJWT } from 'jose'
import { readAttestation, signAttestation, verifyAttestation } from '#rates/published/attestation.ts'
import { newKey } from '../../operator/attestation/keys.ts'

const staging = await newKey('staging-1', 'staging')
const dev = await newKey('dev-1', 'dev')
const now = new Date('2026-11-21T10:00:00Z')
const seconds = now.getTime() / 1000
const digest = `sha256:${'a'.repeat(64)}`
const wanted = { pricingCode: 'AU_VIC', financialYear: '2026-2027', digest }
const claims = { ...wanted, environment: 'staging', iat: seconds - 10 }
const keys = [staging, dev].map(({ kid, environment, publicKey }) => ({ kid, environment, key: publicKey }))
const trust = { keys, environments: ['staging'], now }

const fault = (token: string, about = wanted, by = trust) =>
  verifyAttestation(token, about, by).then(
    () => 'holds',
    (error: Error) => `${error.name}: ${error.message}`,
  )
const signed = (changed: object = {}, key = staging) => signAttestation({ ...claims, ...changed }, key)

test('an attestation holds for the content, the key and the environment that it names', async () => {
  expect(await verifyAttestation(await signed(), wanted, trust)).toEqual({ kid: 'staging-1', claims })
})

test('what is not a compact JWS of ours is refused as such, an unsigned token and one of another type too', async () => {
  const expected = /AttestationFault: this is not an attestation/
  const other = new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'EdDSA', kid: 'staging-1', typ: 'at+jwt' })
    .sign(staging.key)
  for (const token of ['', 'a', 'a.b.c', new UnsecuredJWT(claims).encode(), await other])
    expect(await fault(token)).toMatch(expected)
  expect(await fault(await signed({ iat: undefined }))).toMatch(expected)
  expect(await fault(await signed({ digest: 5 }))).toMatch(expected)
})

test('a token whose header says that it is not signed is not believed', async () => {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'driveaway-attestation+jwt', kid: 'staging-1' }))
  const payload = Buffer.from(JSON.stringify(claims))
  const token = `${header.toString('base64url')}.${payload.toString('base64url')}.`
  expect(await fault(token)).toContain('the signature of the attestation is not by key staging-1')
})

test('a changed claim, and a signature by another key under a trusted name, are forgeries', async () => {
  const [header, , signature] = (await signed()).split('.')
  const payload = Buffer.from(JSON.stringify({ ...claims, iat: claims.iat + 1 })).toString('base64url')
  const expected = 'AttestationFault: the signature of the attestation is not by key staging-1'
  expect(await fault(`${header}.${payload}.${signature}`)).toBe(expected)
  expect(await fault(await signed({}, { ...dev, kid: 'staging-1' }))).toBe(expected)
})

test('an unknown key is named, beside those that are trusted', async () => {
  expect(await fault(await signed({}, await newKey('old', 'staging')))).toBe(
    'AttestationFault: the attestation is signed by key old, which is not trusted; trusted: staging-1, dev-1',
  )
})

test('a key may speak for its own environment only, and an environment counts only where it is listed', async () => {
  expect(await fault(await signed({}, dev))).toBe(
    'AttestationFault: the attestation is of environment staging, but key dev-1 may speak for dev only',
  )
  expect(await fault(await signed({ environment: 'dev' }, dev))).toBe(
    'AttestationFault: the attestation is of environment dev; this environment accepts attestations of staging',
  )
})

test('another pricing code, another year and another digest are told apart', async () => {
  const token = await signed()
  expect(await fault(token, { ...wanted, pricingCode: 'AU_NSW' })).toContain(
    'is of AU_VIC 2026-2027, not of AU_NSW 2026-2027',
  )
  expect(await fault(token, { ...wanted, financialYear: '2025-2026' })).toContain('not of AU_VIC 2025-2026')
  const other = `sha256:${'b'.repeat(64)}`
  expect(await fault(token, { ...wanted, digest: other })).toContain(`is of ${digest}, not of ${other}`)
})

test('clocks may differ by a minute, and not by more', async () => {
  expect(await fault(await signed({ iat: seconds + 59 }))).toBe('holds')
  expect(await fault(await signed({ iat: seconds + 61 }))).toBe(
    'AttestationFault: the attestation was issued at 2026-11-21T10:01:01.000Z, but the time here is 2026-11-21T10:00:00.000Z',
  )
  expect(await fault(await signed({ iat: 1e18 }))).toContain('was issued at')
})

test('a statement about content does not grow old, although the first version gave it an end', async () => {
  const longAgo = Date.parse('2024-11-21T10:00:00Z') / 1000
  expect(await fault(await signed({ iat: longAgo }))).toBe('holds')
  expect(await fault(await signed({ iat: longAgo, exp: longAgo + 60 }))).toBe('holds')
})

test('a key has a last day: what it signed until then counts, and what it signed later does not', async () => {
  const until = (signsUntil: string) => ({ ...trust, keys: keys.map((each) => ({ ...each, signsUntil })) })
  expect(
    await fault(await signed({ iat: Date.parse('2026-11-20T23:59:59Z') / 1000 }), wanted, until('2026-11-20')),
  ).toBe('holds')
  expect(
    await fault(await signed({ iat: Date.parse('2026-11-21T00:00:00Z') / 1000 }), wanted, until('2026-11-20')),
  ).toBe(
    'AttestationFault: the attestation was signed at 2026-11-21T00:00:00.000Z, but key staging-1 signs until 2026-11-20 only',
  )
})

test('what an attestation says of itself can be read without a key', async () => {
  expect(readAttestation(await signed())).toEqual({ kid: 'staging-1', claims })
})
