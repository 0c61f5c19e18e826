import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { driveaway, driveawayProcess } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-messages-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['lnt', 'lint'],
  ['covrage', 'coverage'],
  ['new_year', 'new-year'],
])('a command %s is answered by the one that was meant', async (wrong, meant) => {
  const expected = `there is no command ${wrong} (did you mean ${meant}?); see: driveaway help\n`
  expect(await driveaway([wrong])).toMatchObject({ status: 2, stderr: expected })
  expect(await driveaway(['help', wrong])).toMatchObject({ status: 2, stderr: expected })
})

test('a command that is like none is answered without a guess', async () => {
  expect((await driveaway(['deploy'])).stderr).toBe('there is no command deploy; see: driveaway help\n')
})

test('an option is answered by the one that was meant, wherever it stands', async () => {
  const { status, stderr } = await driveaway(['lint', 'rates/sets', '--fromat=sarif'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/^driveaway lint: unknown option --fromat \(did you mean --format\?\)\nusage: /)
  expect((await driveaway(['lint', '--verbose'])).stderr).toMatch(/^driveaway lint: unknown option --verbose\n/)
})

test('without a kubeconfig, status says what is not there, and invents no context', () => {
  const env = { HOME: folder, KUBECONFIG: '' }
  const bare = driveawayProcess(['status'], { env })
  expect(bare.status).toBe(2)
  expect(bare.stderr).toContain('there is no cluster: KUBECONFIG names no file, and ~/.kube/config does not exist')
  const named = driveawayProcess(['status', '--context', 'production'], { env })
  expect(named.stderr).toContain('KUBECONFIG has no context production; its contexts: none\n')
  expect(bare.stderr + named.stderr).not.toMatch(/loaded-context|skipTLSVerify/)
})

test('a kubeconfig that is not there is named, one without a current context says how to choose, and one that is no YAML is named', () => {
  const KUBECONFIG = join(folder, 'config')
  expect(driveawayProcess(['status'], { env: { KUBECONFIG } })).toMatchObject({
    status: 2,
    stderr: `there is no ${KUBECONFIG}\n`,
  })
  writeFileSync(KUBECONFIG, 'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\n')
  const { status, stderr } = driveawayProcess(['status'], { env: { KUBECONFIG } })
  expect(status).toBe(2)
  expect(stderr).toContain('kubectl config use-context')
  writeFileSync(KUBECONFIG, 'contexts: [')
  const broken = driveawayProcess(['status'], { env: { KUBECONFIG } })
  expect(broken.status).toBe(2)
  expect(broken.stderr).toContain(`driveaway status: KUBECONFIG (${KUBECONFIG}) cannot be read: `)
})

test('a file that is not there, and a folder in its place, are named in words', async () => {
  expect(await driveaway(['quote', '-f', 'nosuch.json'])).toMatchObject({
    status: 2,
    stderr: 'there is no nosuch.json\n',
  })
  const { status, stderr } = await driveaway(['quote', '-f', folder])
  expect(status).toBe(2)
  expect(stderr).toContain(`${folder} is a folder; expected a file`)
})

test.each([
  ['notices', 'list'],
  ['dead-letters', 'list'],
  ['vehicles', '--client=a'],
])('%s names the NATS that does not answer, without its password', async (...call) => {
  const answer = await driveaway([...call, '--nats', 'nats://user:hunter2@127.0.0.1:9'])
  expect(answer).toMatchObject({ status: 3, stderr: 'NATS at nats://127.0.0.1:9: connection refused\n' })
})

const emergency = (key: string) => [
  ...['promote', '--emergency', '--reason', 'wrong', '--set', 'au-fy27', '--rates', 'rates/sets/au'],
  ...['--to', 'rates/overlays/production-apac', '--key', key],
]

test('a key file that is not there, or that is there already, is named without a word of the system', async () => {
  const nosuch = join(folder, 'nosuch.json')
  expect(await driveaway(emergency(nosuch))).toMatchObject({ status: 2, stderr: `there is no ${nosuch}\n` })
  const there = join(folder, 'there.json')
  writeFileSync(there, '')
  const calls = [
    ['attestation-key', '--environment', 'staging', '--kid', 'k1', '--out', there],
    ['release-key', '--environment', 'staging', '--kid', 'k1', '--out', there],
  ]
  for (const call of calls)
    expect(await driveaway(call)).toMatchObject({
      status: 2,
      stderr: `there is a file already, which is not overwritten: ${there}\n`,
    })
})

test('an emergency takes nothing from a cluster, and says so', async () => {
  const { status, stderr } = await driveaway([...emergency('key.json'), '--from', 'staging'])
  expect([status, stderr]).toEqual([2, expect.stringContaining('--from does not go with it')])
})

test.each([
  [
    'completion of another shell',
    ['completion', 'tcsh'],
    'there is no completion for tcsh; expected bash, zsh or fish\n',
  ],
  ['completion of a misspelt one', ['completion', 'bsh'], 'for bsh (did you mean bash?); expected bash, zsh or fish\n'],
  ['a misspelt list', ['dead-letters', 'lst'], 'expected list or replay, found lst (did you mean list?)\n'],
  ['no action', ['dead-letters'], 'expected list or replay\n'],
])('the first line of a wrong call names what is expected: %s', async (_, args, words) => {
  const { status, stderr } = await driveaway(args)
  expect(stderr).toContain(words)
  expect(status).toBe(2)
})
