import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../../cli/commands.ts'
import { driveaway, driveawayProcess } from './driveaway.ts'

test('without a command it says what it is for, every command and what the exit codes mean', async () => {
  const { status, stdout } = await driveaway([])
  expect(status).toBe(0)
  for (const name of Object.keys(commands)) expect(stdout).toContain(`\n  ${name} `)
  expect(stdout).toMatch(/\n {2}2 {2}a usage error/)
  expect((await driveaway(['--help'])).stdout).toBe(stdout)
})

test.each(Object.keys(commands))('the help of %s is the same however it is asked for', async (name) => {
  const { help } = await commands[name]!.load()
  const { status, stdout } = await driveaway(['help', name])
  expect({ status, stdout }).toEqual({ status: 0, stdout: (await driveaway([name, '--help'])).stdout })
  expect(stdout).toMatch(new RegExp(`^usage: driveaway ${name}`))
  for (const [option] of help.options ?? []) expect(stdout).toContain(option)
})

test('an unknown command or option is a usage error that says where to read on', async () => {
  expect(await driveaway(['toString'])).toMatchObject({ status: 2, stderr: expect.stringContaining('driveaway help') })
  const { status, stderr } = await driveaway(['lint', '--fromat', 'text'])
  expect(status).toBe(2)
  expect(stderr).toContain('unknown option --fromat')
  expect(stderr).toContain('usage: driveaway lint')
})

test('there is no colour where the output is not a terminal, nor where NO_COLOR is set', async () => {
  expect(driveawayProcess([]).stdout).not.toContain('\u001b[')
  expect(driveawayProcess([], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\u001b[1m')
  expect(driveawayProcess([], { env: { NO_COLOR: '1' } }).stdout).not.toContain('\u001b[')
})

const OLD_NODE = ['/usr/bin/node', '/usr/local/bin/node'].find(
  (path) => existsSync(path) && /^v(1\d|2[0-3])\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout),
)

test.runIf(OLD_NODE)('an old Node is told which one is needed', async () => {
  const { status, stderr } = spawnSync(OLD_NODE!, ['cli/driveaway.js', 'lint'], { encoding: 'utf8' })
  expect(status).toBe(3)
  expect(stderr).toContain('driveaway needs Node 24 or newer; this is Node ')
})
