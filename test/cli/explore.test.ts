import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExplorerRates } from '#explorer/served.ts'
import { bundleOf, committedContent, newReleaseKey } from '../rates/release/signed-bundle.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { driveawayProcess } from './driveaway.ts'

const folder = temporaryDirectory('explore')
const bundle = join(folder.path, 'rates.bundle')
const keys = join(folder.path, 'keys.json')
const otherKeys = join(folder.path, 'other-keys.json')
beforeAll(async () => {
  const { signs, published } = await newReleaseKey()
  writeFileSync(bundle, await bundleOf(signs))
  writeFileSync(keys, JSON.stringify([published]))
  writeFileSync(otherKeys, JSON.stringify([(await newReleaseKey('r9')).published]))
})
afterAll(() => folder.remove())

test('a bundle that a trusted key signed is shown, as one side or as both', async () => {
  const args = ['cli/main.ts', 'explore', bundle, '--keys', keys, '--against', bundle, '--port', '0']
  const explorer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = (await once(explorer.stdout, 'data')) as [Buffer]
    const [, url = ''] = /^(http:\S+) shows /.exec(line.toString()) ?? []
    const served = (await (await fetch(`${url}rates.json`)).json()) as ExplorerRates
    const { release } = committedContent()
    expect([served.label, served.release, served.old?.release]).toEqual([bundle, release, release])
    expect(served.old?.differences).toEqual([])
  } finally {
    explorer.kill()
    await once(explorer, 'close')
  }
})

test('a bundle that no trusted key signed is refused with the reason, and one without keys says what is missing', async () => {
  const untrusted = await driveawayProcess(['explore', bundle, '--keys', otherKeys, '--port', '0'])
  expect([untrusted.status, untrusted.stderr]).toEqual([
    1,
    expect.stringContaining('signed by key r1, which is not trusted'),
  ])
  const without = await driveawayProcess(['explore', bundle, '--port', '0'])
  expect([without.status, without.stderr]).toEqual([2, expect.stringContaining('--keys FILE with the trusted keys')])
  const old = await driveawayProcess(['explore', '--against', bundle, '--keys', otherKeys, '--port', '0'])
  expect([old.status, old.stderr]).toEqual([1, expect.stringContaining('which is not trusted')])
})
