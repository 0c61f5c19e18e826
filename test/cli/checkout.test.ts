import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

const place = temporaryDirectory('checkout')
afterAll(() => place.remove())

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
