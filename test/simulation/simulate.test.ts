import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changesOf, MUTANTS } from './mutants/list.ts'

const main = join(import.meta.dirname, 'explore/main.ts')
const root = join(import.meta.dirname, '../..')

function replay(env: Record<string, string>): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [main], { env: { ...process.env, ...env }, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\n')
}

test('one number decides everything: the same seed takes the same steps', () => {
  const seed = { SEED: '4711', KEEP: 'edit 1,edit 2,edit 3,call 40,call 60', TRACED: '100000' }
  const [first, second] = [replay(seed), replay(seed)]
  expect(first.length).toBeGreaterThan(300)
  // Two whole traces are thousands of lines: the first line that differs says where to look.
  const at = first.findIndex((line, n) => line !== second[n])
  expect({ at, line: second[at] }).toEqual({ at, line: first[at] })
  expect(second).toHaveLength(first.length)
}, 120_000)

/** Some seconds of exploration, or fewer where all seeds are done; it ends by itself on a slow machine too. */
function explored(env: Record<string, string>): string[] {
  const lines = replay({ ...env, MUTANTS: 'none', WORKERS: '1' }).filter(Boolean)
  console.log(lines.join('\n'))
  return lines
}

test.each([
  ['the same seeds each time', '1', '20', '60'],
  ['seeds that nobody has tried', String(randomInt(1, 2 ** 30)), '10', '4'],
])(
  'no rule is broken: %s',
  (_, SEED, SECONDS, COUNT) => {
    const lines = explored({ SEED, SECONDS, COUNT })
    expect(lines.filter((line) => line.startsWith('VIOLATION'))).toEqual([])
    expect(lines.at(-1)).toMatch(
      /^[1-9]\d* distinct stored states, \d+ calls, \d+ crashes, 0 violations, mutants 0\/0$/,
    )
  },
  600_000,
)

test.each([
  ['a timer', 'setTimeout(() => undefined, 1)', 'Timeout'],
  ['another turn of the event loop', 'setImmediate(() => undefined)', 'Immediate'],
  ['a file', "void import('node:fs/promises').then((fs) => fs.readFile('package.json'))", 'FSREQPROMISE'],
  ['a thread of cryptography', "void crypto.subtle.digest('SHA-256', new Uint8Array(1))", 'HASHREQUEST'],
  ['the time of day', 'void new Date()', 'new Date'],
  ['chance', 'void Math.random()', 'Math.random'],
])('a simulation that uses %s fails: no seed decides what comes of it', (_, use, named) => {
  const script = `
    import { Scheduler } from '${join(import.meta.dirname, 'schedule/scheduler.ts')}'
    import { outside } from '${join(import.meta.dirname, 'schedule/outside.ts')}'
    await import('node:fs/promises')
    const scheduler = new Scheduler(() => 0.5)
    scheduler.offer('one', () => undefined)
    scheduler.offer('another', () => { ${use} })
    outside.begin()
    const steps = []
    try {
      for (let step = 0; step < 2; step += 1) steps.push(await scheduler.step())
    } catch (error) {
      steps.push(error.message)
    }
    console.log(JSON.stringify(steps))`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  expect(JSON.parse(stdout)).toEqual([expect.stringContaining(named)])
})

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
  'the code of the mutant "%s" is there',
  (_, mutant) => {
    for (const { file, find } of changesOf(mutant))
      expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2)
  },
)
