import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freePort } from '../../tools/stack/free-port.ts'

const MODULE = fileURLToPath(new URL('../../tools/stack/free-port.ts', import.meta.url))

test('a port that one process got goes to no other, also while nothing listens on it, until that process has ended', async () => {
  const lowest = await freePort()
  const range = { lowest, highest: lowest }
  await expect(freePort(range)).rejects.toThrow(`No free port of 127.0.0.1 found between ${lowest} and ${lowest}`)

  const another = await startAsking()
  const two = { lowest: another.port, highest: another.port }
  await expect(freePort(two)).rejects.toThrow('No free port')
  await another.end()
  expect(await freePort(two)).toBe(another.port)
})

/** Another process that asks for a port and then only waits. */
async function startAsking() {
  const source = `import { freePort } from ${JSON.stringify(MODULE)}; console.log(await freePort()); process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [printed] = (await once(child.stdout, 'data')) as [Buffer]
  const exited = once(child, 'exit')
  return {
    port: Number(printed),
    end: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
