import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readRateSets } from '#rates/files/read.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readEmergency, verifyEmergency } from '#rates/published/emergency.ts'
import { readEmergencyKeys } from '../../operator/attestation/trusted-keys.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { blocksOf } from './page.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryDirectory('wrong-price')
const clone = join(folder.path, 'driveaway')
const page = blocksOf(readFileSync(join(root, 'docs/wrong-price.md'), 'utf8')).flatMap(({ commands }) => commands)
  // The pins are set in a cluster: test/operator/rate-set/pins.test.ts does that.
  .filter((command) => !command.includes('kubectl'))

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  // What stands last on the page is there before that night.
  keyLines = shell(made)
})
afterAll(() => folder.remove())

const made = page.find((command) => command.includes('attestation-key'))!
let keyLines = ''

const shell = (command: string) =>
  execFileSync('bash', ['-c', command], { cwd: clone, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })

test('the commands of the page make a signature that production takes for that set, and a change that says why', async () => {
  const night = page.filter((command) => command !== made)
  const { promotion } = parse(keyLines) as { promotion: { emergencyKeys: object[] } }
  const printed = night.map(shell).join('')
  expect(printed).toMatch(/^au-vic-fy27 .* written +emergency, by key emergency-2026, until /m)
  expect(printed).toContain('attestations/au-vic-fy27.yaml')
  const patch = readFileSync(join(clone, 'rates/overlays/production-apac/attestations/au-vic-fy27.yaml'), 'utf8')
  expect(patch).toMatch(
    /^# Emergency, by key emergency-2026, until \S+Z: Incident 4711: duty of the top band is wrong$/m,
  )
  const { metadata } = parse(patch) as { metadata: { annotations: Record<string, string> } }
  const token = metadata.annotations['rates.driveaway.dev/attestation']!
  const { keys } = await readEmergencyKeys(JSON.stringify(promotion.emergencyKeys))
  const { digests } = compileRateSets(readRateSets([join(clone, 'rates/sets')]))
  const wanted = { pricingCode: 'AU_VIC', financialYear: '2026-2027', digest: digests['au-vic-fy27']! }
  await verifyEmergency(token, readEmergency(token)!, wanted, { keys, longestSeconds: 86_400, now: new Date() })
})

test('a call without a reason, a key, a set or a sensible end signs nothing', () => {
  const refusal = (...args: string[]) => {
    try {
      shell(['./driveaway promote --emergency --to rates/overlays/production-apac', ...args].join(' '))
      return 'done'
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  }
  expect(refusal()).toContain('--emergency expects --key FILE and --set NAME')
  expect(refusal('--key emergency.json', '--set au-vic-fy27')).toContain('--emergency expects --reason TEXT')
  const whole = ['--key emergency.json', '--reason wrong']
  expect(refusal(...whole, '--set au-vic-fy99')).toContain('the files have no rate set au-vic-fy99')
  expect(refusal(...whole, '--set au-vic-fy27', '--hours 0')).toContain('--hours: expected a number of hours, found 0')
})
