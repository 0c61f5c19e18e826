import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBundle, type ReleaseKey } from '../../evaluator/index.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveaway, driveawayProcess } from './driveaway.ts'

const folder = temporaryDirectory('bundle')
const at = (name: string) => join(folder.path, name)
let published: string
beforeAll(async () => {
  published = (await driveaway(['release-key', '--environment', 'staging', '--kid', 'r1', '--out', at('key.json')])).stdout
  writeFileSync(at('keys.json'), `[${published}]`)
})
afterAll(() => folder.remove())

const facts = (stdout: string) => stdout.split('\n').filter((line) => /^(release|content) /.test(line))

test('a folder, another folder in another time zone and locale, and a revision of Git make the same content', { timeout: 300_000 }, async () => {
  const here = await driveaway(['bundle', '--key', at('key.json'), '-o', at('here')])
  expect(here).toMatchObject({ status: 0, stderr: '' })
  cpSync('rates/sets', at('sets'), { recursive: true })
  const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  const there = driveawayProcess(['bundle', at('sets'), '--key', at('key.json'), '-o', at('there')], { env })
  expect(facts(there.stdout)).toEqual(facts(here.stdout))
  expect(facts(there.stdout)).toHaveLength(2)
  // The committed sets, in a repository of their own: what is not committed here does not matter.
  const git = (...args: string[]) => execFileSync('git', ['-C', at('sets'), '-c', 'user.name=t', '-c', 'user.email=t@t', ...args])
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'rates')
  const main = join(import.meta.dirname, '../../cli/driveaway.js')
  const committed = execFileSync(process.execPath, [main, 'bundle', 'git:HEAD:.', '--key', at('key.json'), '-o', at('committed')], {
    ...{ cwd: at('sets'), encoding: 'utf8' },
  })
  expect(facts(committed)).toEqual(facts(here.stdout))
  const checked = await driveaway(['bundle', '--verify', at('committed'), '--keys', at('keys.json')])
  expect(checked).toMatchObject({ status: 0, stderr: '' })
  expect(checked.stdout).toContain('signed by r1 of staging at ')
  expect(facts(checked.stdout)).toEqual(facts(here.stdout))
  const evaluator = await openBundle(new Uint8Array(readFileSync(at('committed'))), [JSON.parse(published) as ReleaseKey])
  // docs/examples/quote.json: README.md has each of its lines.
  expect(evaluator.quote(JSON.parse(readFileSync('docs/examples/quote.json', 'utf8')) as never).totals.driveAway).toBe(9858590)
})

test('the private key is in a file for its owner alone, and is not printed', () => {
  expect(statSync(at('key.json')).mode & 0o777).toBe(0o600)
  const { d } = JSON.parse(readFileSync(at('key.json'), 'utf8')) as { d: string }
  expect(d).toHaveLength(43)
  expect(published).not.toContain(d)
})

test('a bundle that was altered or signed by another key is refused, and the refusal says why', { timeout: 300_000 }, async () => {
  expect((await driveaway(['bundle', '--key', at('key.json'), '-o', at('good')])).status).toBe(0)
  const other = (await driveaway(['release-key', '--environment', 'staging', '--kid', 'r2', '--out', at('other.json')])).stdout
  writeFileSync(at('others.json'), `{"keys":[${other}]}`)
  const unknown = await driveaway(['bundle', '--verify', at('good'), '--keys', at('others.json')])
  expect(unknown).toMatchObject({ status: 1, stdout: '' })
  expect(unknown.stderr).toContain('the bundle is signed by key r1, which is not trusted')
  const bytes = readFileSync(at('good'))
  writeFileSync(at('cut'), bytes.subarray(0, -20))
  const cut = await driveaway(['bundle', '--verify', at('cut'), '--keys', at('keys.json')])
  expect(cut.status).toBe(1)
  expect(cut.stderr).toContain('the bundle cannot be read')
})

test('a wrong call says what is expected, and a private key among the trusted keys is named', async () => {
  expect((await driveaway(['bundle'])).stderr).toContain('--key and --out are expected')
  expect((await driveaway(['bundle', '--verify', 'x'])).stderr).toContain('--keys')
  const { status, stderr } = await driveaway(['bundle', '--verify', at('key.json'), '--keys', at('key.json')])
  expect(status).toBe(2)
  expect(stderr).toContain('expected a JSON list of public keys')
  writeFileSync(at('private.json'), `[${readFileSync(at('key.json'), 'utf8')}]`)
  expect((await driveaway(['bundle', '--verify', at('keys.json'), '--keys', at('private.json')])).stderr).toContain(
    '[0] holds a private key',
  )
})
