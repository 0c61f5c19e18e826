import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild, type Child } from '../../tools/stack/child.ts'
import { newCrew } from '../../tools/stack/crew.ts'
import { processIdentity } from '../../tools/stack/process-identity.ts'
import { endLeftovers, livePid, readRecord } from '../../tools/stack/record.ts'
import { supervise } from '../../tools/stack/supervise.ts'
import { waitFor } from '../harness/wait-for.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

let folder: ReturnType<typeof temporaryDirectory>
let said: string[]
beforeEach(() => {
  folder = temporaryDirectory('supervise')
  said = []
})
afterEach(() => folder.remove())

const say = (line: string) => said.push(line)

function shell(name: string, script: string, signal?: AbortSignal): Promise<Child> {
  const logFile = join(folder.path, `${name}.log`)
  return startChild({ name, command: '/bin/sh', args: ['-c', script], logFile, signal })
}

test('a program that dies is started again with a growing delay, and each time it is said', async () => {
  const pids: number[] = []
  const onStart = ({ pid }: Child) => void pids.push(pid)
  const short = supervise('short', () => shell('short', 'exit 3'), { say, onStart, baseMs: 20 })
  await waitFor('four starts', () => pids.length >= 4)
  await short.stop()
  const started = pids.length
  expect(said[0]).toBe('short ended with code 3; starting it again in 0.0 s')
  expect(said.filter((line) => line.includes('runs again'))).toHaveLength(started - 1)
  expect(new Set(pids).size).toBe(started)
})

test('a program that is stopped stays stopped', async () => {
  const long = supervise('long', () => shell('long', 'exec sleep 60'), { say, baseMs: 1 })
  const { pid } = await long.started
  await long.stop()
  expect(processIdentity(pid)).toBeUndefined()
  expect(said).toEqual([])
})

test('a stop ends a program that is still starting', async () => {
  let pid = 0
  const never = supervise(
    'never',
    async (signal) => {
      const child = await shell('never', 'exec sleep 60', signal)
      pid = child.pid
      await child.exited
      throw new Error('gone')
    },
    { say },
  )
  never.started.catch(() => undefined)
  await waitFor('the start', () => pid > 0)
  await never.stop()
  expect(processIdentity(pid)).toBeUndefined()
})

test('a crew stops in the reverse of the order of starting, whoever was ready first', async () => {
  const crew = newCrew(join(folder.path, 'stack.json'), say)
  const slow = crew.start('slow', async () => {
    const child = await shell('slow', 'exec sleep 60')
    await new Promise((resolve) => setTimeout(resolve, 200))
    return child
  })
  await crew.start('fast', () => shell('fast', 'exec sleep 60'))
  await slow
  await crew.stopAll()
  expect(said).toEqual(['fast stopped', 'slow stopped'])
  await expect(crew.start('late', () => shell('late', 'true'))).rejects.toThrow('stopping')
})

test('what a crashed supervisor left behind is found on disk and ended, and nothing else', async () => {
  const path = join(folder.path, 'stack.json')
  const crew = newCrew(path, say)
  const child = await crew.start('orphan', () => shell('orphan', 'exec sleep 60'))
  const record = readRecord(path)
  if (!record) throw new Error('no record')
  const reused = { name: 'reused', identity: `${process.pid}@1` }
  const stopped = crew.stopAll
  expect(await endLeftovers({ ...record, children: [...record.children, reused] })).toEqual(['orphan'])
  expect(livePid(`${child.pid}@1`)).toBeUndefined()
  expect(processIdentity(child.pid)).toBeUndefined()
  await stopped()
})

test('a child of a program that ends without stopping it is ended too', async () => {
  const childModule = new URL('../../tools/stack/child.ts', import.meta.url).href
  const source = `import { startChild } from '${childModule}'
    const child = await startChild({ name: 'c', command: '/bin/sleep', args: ['60'], logFile: '/dev/null' })
    process.stdout.write(String(child.pid))
    process.kill(process.pid, 'SIGINT')`
  const logFile = join(folder.path, 'parent.log')
  const args = ['--input-type=module', '-e', source]
  const parent = await startChild({ name: 'parent', command: process.execPath, args, logFile })
  expect(await parent.exited).toBe('code 1')
  const pid = Number(readFileSync(logFile, 'utf8'))
  expect(pid).toBeGreaterThan(1)
  await waitFor('the end of the child', () => processIdentity(pid) === undefined)
})
