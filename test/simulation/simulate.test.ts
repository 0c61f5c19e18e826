import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MUTANTS } from './mutants/list.ts'

const main = join(import.meta.dirname, 'explore/main.ts')
const root = join(import.meta.dirname, '../..')

function replay(env: Record<string, string>): string {
  const { stdout, stderr } = spawnSync(process.execPath, [main], { env: { ...process.env, ...env }, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout
}

test('one number decides everything: the same seed takes the same steps', () => {
  const seed = { SEED: '4711', KEEP: 'edit 1,edit 2,edit 3,call 40,call 60', TRACED: '100000' }
  const [first, second] = [replay(seed), replay(seed)]
  expect(first.split('\n').length).toBeGreaterThan(300)
  expect(second).toBe(first)
}, 120_000)

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the code of the mutant "%s" is there',
  (_, mutant) => {
    const source = readFileSync(join(root, mutant.file), 'utf8')
    expect(source.split(mutant.find)).toHaveLength(2)
  },
)
