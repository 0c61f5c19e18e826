import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { firstLook } from '#explorer/first-look.ts'
import { keptBelow } from '#rates/files/kept.ts'
import { sideTexts } from '../../cli/side-texts.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

const place = temporaryDirectory('first-start')
afterAll(() => place.remove())

test('an installation parses the rate sets, so that the first start of the explorer shows them at once', async () => {
  const cache = join(place.path, 'cache')
  const look = () => firstLook(sideTexts('rates/sets')!, '2026-11-27', { kept: keptBelow(join(cache, 'driveaway')) })
  expect(await look()).toBeUndefined()
  execFileSync('npm', ['run', 'prepare'], { env: { ...process.env, XDG_CACHE_HOME: cache }, encoding: 'utf8' })
  expect((await look())?.rates.sets.length).toBeGreaterThan(20)
})

test('an installation goes on where the explorer cannot start', () => {
  const copy = join(place.path, 'copy')
  cpSync('tools/first-start', join(copy, 'tools/first-start'), { recursive: true })
  writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'tools/first-start/main.js')], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
})

test('./driveaway works from any folder and through a link, and says what to do without its packages', () => {
  const link = join(place.path, 'driveaway')
  symlinkSync(join(import.meta.dirname, '../../driveaway'), link)
  const call = { cwd: place.path, encoding: 'utf8' } as const
  expect(spawnSync(link, ['help'], call).stdout).toMatch(/^driveaway: /)
  const bare = join(place.path, 'bare')
  cpSync('driveaway', join(bare, 'driveaway'))
  const { status, stderr } = spawnSync(join(bare, 'driveaway'), ['help'], call)
  expect([status, stderr]).toEqual([3, `driveaway needs its packages. Install them: (cd ${bare} && npm ci)\n`])
})
