import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { imageLimits } from '../../../../worker/moderation/images/image-limits.ts'
import { startDecoder, type Decoder } from '../../../../worker/moderation/images/start-decoder.ts'
import { temporaryDirectory } from '../../../harness/temporary-directory.ts'
import { waitFor } from '../../../harness/wait-for.ts'
import { DEADLY_DECODER, deadly, HANGS, KILLS } from './deadly-pictures.ts'
import { photograph } from './sources.ts'

let decoder: Decoder | undefined
afterEach(() => decoder?.close())

const limits = imageLimits({ atOnce: 1, ofOneClient: 1 }).decode
const PIXELS = 224 * 224 * 3
const good = await photograph().jpeg().toBuffer()

const outcome = (bytes: Buffer, change = {}) =>
  decoder!.decode(bytes, { ...limits, ...change }).then(
    (pixels) => pixels.length,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  )

test('a picture that kills the decoder is refused, and the pictures beside it and after it are decoded', async () => {
  decoder = await startDecoder(2, DEADLY_DECODER)
  const killing = await deadly(KILLS)
  const beside = [killing, good, killing, good, good].map((bytes) => outcome(bytes))
  expect(await Promise.all(beside)).toEqual(['UNDECODABLE', PIXELS, 'UNDECODABLE', PIXELS, PIXELS])
  expect(await outcome(good)).toBe(PIXELS)
})

test('so is one that hangs the decoder, after twice the time that a picture may take', async () => {
  decoder = await startDecoder(1, DEADLY_DECODER)
  const hanging = outcome(await deadly(HANGS), { seconds: 0.2 })
  expect(await outcome(good)).toBe(PIXELS)
  expect(await hanging).toBe('UNDECODABLE')
  expect(await outcome(good)).toBe(PIXELS)
})

test('the faults that the decoder finds are told with their codes', async () => {
  decoder = await startDecoder(1)
  expect(await outcome(good.subarray(0, 5_000))).toBe('DAMAGED')
  expect(await outcome(await photograph(64, 48).jpeg().toBuffer())).toBe('TOO_SMALL')
  expect(await outcome(good)).toBe(PIXELS)
})

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const isAlive = (pid: number) => readdirSync('/proc').includes(String(pid))

test('a process that dies while it has nothing to do is replaced, and no picture is refused for it', async () => {
  const before = childrenOf(process.pid)
  decoder = await startDecoder(1)
  const [idle] = childrenOf(process.pid).filter((pid) => !before.includes(pid))
  process.kill(idle!, 'SIGKILL')
  await waitFor('its end', async () => !childrenOf(process.pid).includes(idle!))
  expect(await outcome(good)).toBe(PIXELS)
})

test('it has no environment, and ends with its worker, however that ends', async () => {
  const program = join(temporaryDirectory('decoder').path, 'program.mjs')
  const source = new URL('../../../../worker/moderation/images/start-decoder.ts', import.meta.url).href
  writeFileSync(
    program,
    `const { startDecoder } = await import(${JSON.stringify(source)})
    await startDecoder(2)
    console.log('ready')`,
  )
  const worker = spawn(process.execPath, [program], { env: { PASSWORD: 'secret' }, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(worker.stdout, 'data')
  const processes = childrenOf(worker.pid!)
  expect(processes).toHaveLength(2)
  for (const pid of processes) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('secret')
  worker.kill('SIGKILL')
  await waitFor('the end of both', async () => !processes.some(isAlive))
})

test('a decoder that cannot start says so', async () => {
  const ending = join(temporaryDirectory('decoder').path, 'ending.mjs')
  writeFileSync(ending, 'process.exit(1)')
  await expect(startDecoder(1, pathToFileURL(ending))).rejects.toThrow('the decoder did not start')
})
