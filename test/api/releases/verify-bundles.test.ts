import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryDirectory } from '../../harness/temporary-directory.ts'

// A named pipe that nobody writes into stands for a file of a volume that does not answer.
const folder = temporaryDirectory('blocked')
const at = (name: string) => join(folder.path, name)
const url = (path: string) => new URL(`../../../${path}`, import.meta.url).href
beforeAll(() => {
  for (const name of ['a', 'c']) writeFileSync(at(name), 'content')
  execFileSync('mkfifo', [at('b')])
  const thread = `
    import { readFileSync } from 'node:fs'
    import { parentPort, workerData } from 'node:worker_threads'
    for (const file of workerData.files) {
      readFileSync(file)
      parentPort.postMessage({ release: file.at(-1), inForce: [] })
    }`
  writeFileSync(at('thread.mjs'), thread)
})
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  folder.remove()
})

/** A program that verifies the three files, and is told to stop when it says that it is time. */
async function program(longestMs: number, isTime: string) {
  const source = `
    import { createBundleVerifier } from '${url('api/releases/verify-bundles.ts')}'
    import { onShutdown } from '${url('runtime/shutdown.ts')}'
    import { createLog } from '${url('runtime/log.ts')}'
    const say = (said) => process.stdout.write(said + '\\n')
    const verifier = createBundleVerifier({ longestMs: ${longestMs}, entry: new URL('${pathToFileURL(at('thread.mjs')).href}') })
    onShutdown(createLog({ name: 't' }), [{ name: 'verifier', stop: () => verifier.stop() }])
    setInterval(() => {}, 1000)
    const files = ['a', 'b', 'c'].map((name) => '${folder.path}/' + name)
    setTimeout(() => say('waiting'), 2000)
    const verified = await verifier.verify({ files, keys: [], what: 'releases' })
    say('is verified: ' + verified.map((each) => each.release ?? each.refused).join(', '))`
  writeFileSync(at('program.mjs'), source)
  const child = spawn(process.execPath, [at('program.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const ended = once(child, 'exit')
  let said = ''
  for await (const chunk of child.stdout) {
    said += String(chunk)
    if (String(chunk).includes(isTime)) child.kill('SIGTERM')
  }
  await ended
  return said
}

test('a file that blocks its thread is refused, the files after it are verified, and the process ends when it is stopped', async () => {
  const said = await program(5_000, 'is verified')
  expect(said).toContain('is verified: a, it takes more than 128 MB or 5 s to verify, c\n')
  expect(said).toContain('"msg":"stopped"')
}, 60_000)

test('a process that is stopped while a file blocks a thread ends, too', async () => {
  expect(await program(60_000, 'waiting')).toContain('"msg":"stopped"')
}, 60_000)
