import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { signEmergency } from '#rates/published/emergency.ts'
import { patchFile, writeOverlay } from '../../cli/promotion/overlay.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { newKey } from '../operator/attestation/keys.ts'

const folder = temporaryDirectory('emergency-patch')
afterAll(() => folder.remove())

test('a reason with line breaks and signs that turn the writing is one line of the patch, as a reviewer reads it', async () => {
  mkdirSync(join(folder.path, 'attestations'))
  writeFileSync(join(folder.path, 'kustomization.yaml'), 'components: [attestations]\n')
  const signer = await newKey('emergency-1', 'staging')
  const content = { pricingCode: 'AU_VIC', financialYear: '2026-2027', digest: 'sha256:0' }
  const reason = 'wrong\nduty\u0085kind: Secret\u2028of \u202evic'
  const token = await signEmergency({ ...content, reason, iat: 0, exp: 3600 }, signer)
  writeOverlay(folder.path, new Map([['au-vic-fy27', token]]))
  const patch = readFileSync(patchFile(folder.path, 'au-vic-fy27'), 'utf8')
  expect(patch.split(/[\n\r\u0085\u2028\u2029]/)[1]).toBe(
    '# Emergency, by key emergency-1, until 1970-01-01T01:00:00.000Z: wrong duty kind: Secret of vic',
  )
})
