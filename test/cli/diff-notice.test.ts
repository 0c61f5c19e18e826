import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { driveaway } from './driveaway.ts'

const folder = mkdtempSync(join(tmpdir(), 'driveaway-notice-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SETS = ['au/fy27.yaml', 'au-vic/fy27.yaml']
const [old, now, manifest] = [join(folder, 'old'), join(folder, 'new'), join(folder, 'client.yaml')]

/** The number plates of Victoria at a dollar more. */
beforeEach(() => {
  for (const side of [old, now]) for (const set of SETS) cpSync(join('rates/sets', set), join(side, set))
  const text = readFileSync(join(now, SETS[1]!), 'utf8')
  expect(text).toContain('44.20')
  writeFileSync(join(now, SETS[1]!), text.replaceAll('44.20', '45.20'))
})

function writeClient(more: string): void {
  const head = 'apiVersion: rates.driveaway.dev/v1alpha1\nkind: ShowroomClient\nmetadata: { name: northside }\nspec:\n'
  writeFileSync(manifest, `${head}  displayName: Northside Motors\n${more}`)
}

const notice = (...args: string[]) => driveaway(['diff', old, now, '--notice', '--today', '2026-06-30', ...args])

test('diff --notice prints the mail to a client that is told of everything, and nothing else', async () => {
  const { status, stdout } = await notice()
  expect(stdout).toContain('To: the contacts with notices: true of each client\n')
  expect(stdout).toContain('Subject: Victoria: amounts for plates change from 1 July 2026\n')
  expect(stdout).toMatch(/\nPlates\n {2}amount, unless motorcycle: \$44\.20 → \$45\.20\n {2}Source \(unofficial\): Number/)
  expect(stdout).not.toContain('drive-away 1')
  expect(status).toBe(0)
})

test('diff --notice --client writes to the contacts of a manifest that have notices on', async () => {
  writeClient('  contacts: [{ email: a@example.com, notices: true }, { email: b@example.com, notices: false }]\n')
  const { stdout } = await notice('--client', manifest)
  expect(stdout).toContain('To: a@example.com\n')
  expect(stdout).toContain('Northside Motors: amounts for plates in Victoria change')
})

test('diff --notice says why a client would get no mail', async () => {
  const contacts = '  contacts: [{ email: a@example.com, notices: true }]\n'
  writeClient(`${contacts}  notices: { pricingCodes: [AU_NSW] }\n`)
  expect((await notice('--client', manifest)).stdout).toBe(
    'No client gets a mail: no figure that concerns northside changes.\n',
  )
  writeClient(`${contacts}  suspended: true\n`)
  expect((await notice('--client', manifest)).stdout).toBe(
    'No client gets a mail: northside is suspended, or has no contact with notices: true.\n',
  )
})

test('diff --notice gives subject, text and HTML as data', async () => {
  writeClient('  contacts: [{ email: a@example.com, notices: true }]\n')
  const { stdout } = await notice('--client', manifest, '--output', 'json')
  const preview = JSON.parse(stdout) as Record<string, string>
  expect(preview).toMatchObject({ told: true, to: ['a@example.com'] })
  expect(preview['subject']).toBe('Victoria: amounts for plates change from 1 July 2026')
  expect(preview['text']).toContain('$44.20 → $45.20')
  expect(preview['html']).toMatch(/^<!doctype html>/)
  writeClient('  suspended: true\n')
  const none = await notice('--client', manifest, '--output', 'json')
  expect(JSON.parse(none.stdout)).toMatchObject({ told: false })
})

test('diff --notice marks a correction of days already past', async () => {
  const { stdout } = await driveaway(['diff', old, now, '--notice', '--today', '2026-11-21'])
  expect(stdout).toContain('This corrects amounts in use since 1 July 2026')
})

test('a client without a manifest, several in one, and a client without --notice are wrong calls', async () => {
  expect(await notice('--client', 'nobody')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('there is no file nobody') as string,
  })
  writeFileSync(manifest, 'kind: ShowroomClient\n---\nkind: ShowroomClient\n')
  expect((await notice('--client', manifest)).stderr).toContain('has 2 clients; expected one')
  expect(await driveaway(['diff', old, now, '--client', manifest])).toMatchObject({ status: 2 })
  expect(await notice('--format', 'markdown')).toMatchObject({ status: 2 })
})
