import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { attester } from '../../operator/attestation/attest.ts'
import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { readTrustedKeys } from '../../operator/attestation/trusted-keys.ts'
import { verifyAttestation } from '#rates/published/attestation.ts'
import { createLog } from '#runtime/log.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway } from './driveaway.ts'

const folder = temporaryDirectory('attestation-key')
afterAll(() => folder.remove())
const make = (out: string) =>
  driveaway(['attestation-key', '--environment', 'staging', '--kid', 'staging-1', '--out', out, '--output', 'json'])

test('the file is a key that signs, and what is printed is a key that verifies and nothing secret', async () => {
  const out = join(folder.path, 'new.json')
  const { status, stdout } = await make(out)
  expect(status).toBe(0)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  expect(stdout).not.toContain((JSON.parse(readFileSync(out, 'utf8')) as { d: string }).d)
  const { keys, faults } = await readTrustedKeys(`[${stdout}]`)
  expect(faults).toEqual([])
  const now = new Date('2026-11-21T10:00:00Z')
  const about = { pricingCode: 'AU_VIC', financialYear: '2026-2027', digest: `sha256:${'a'.repeat(64)}` }
  const terms = { environment: 'staging', soakMs: 0 }
  const around = {
    readKey: () => readSigningKey(out),
    now: () => now,
    log: createLog({ name: 'test', level: 'silent' }),
  }
  const soaked = { ...about, servedSince: '2026-11-21T09:00:00Z', isInForce: true }
  const { attestation = '' } = await attester(terms, around).attest(soaked)
  expect((await verifyAttestation(attestation, about, { keys, environments: ['staging'], now })).kid).toBe('staging-1')
})

test('a key that is there is not written over', async () => {
  const out = join(folder.path, 'there.json')
  expect((await make(out)).status).toBe(0)
  const before = readFileSync(out, 'utf8')
  expect((await make(out)).status).toBe(2)
  expect(readFileSync(out, 'utf8')).toBe(before)
})

test('with a file the lines say how the Secret is made of it, and nothing secret is printed', async () => {
  const out = join(folder.path, 'lines.json')
  const { stdout } = await driveaway(['attestation-key', '--environment', 'staging', '--kid', 'staging-1', '--out', out])
  expect(stdout).toContain(`# kubectl create secret generic attestation-key --from-file=key.json=${out}`)
  expect(stdout).not.toContain((JSON.parse(readFileSync(out, 'utf8')) as { d: string }).d)
})

test('a call without a name says what is expected', async () => {
  expect((await driveaway(['attestation-key'])).stderr).toContain('--environment and --kid are expected')
  const json = await driveaway(['attestation-key', '--environment', 'staging', '--kid', 'a', '--output', 'json'])
  expect(json.stderr).toContain('--environment, --kid and --out are expected')
})
