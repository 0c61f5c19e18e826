import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../harness/temporary-directory.ts'

const moderation = new URL('../../../../worker/moderation/', import.meta.url)
const SETTINGS = '{ imageAllowedAddresses: [], imagesAtOnce: 1, imagesOfOneClient: 1 }'

/** Milliseconds of the processor for a text that is the first beyond Latin-1 in a thread, which has compiled nothing before. */
async function timeOfFirst(description: string, module: string, start: string) {
  const file = join(temporaryDirectory('timer').path, 'timer.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    import * as module from ${JSON.stringify(new URL(module, moderation).href)}
    const { content, close } = await (${start})
    content.check({ vehicle: { source_id: 'a', description: 'A good car with 4 doors' } })
    const before = process.threadCpuUsage()
    const faults = content.check({ vehicle: { source_id: 'a', description: ${JSON.stringify(description)} } })
    parentPort.postMessage([process.threadCpuUsage(before).user / 1_000, faults])
    await close()`,
  )
  const [[milliseconds, faults]] = await once(new Worker(pathToFileURL(file)), 'message')
  expect(faults).toEqual([])
  return milliseconds as number
}

/** The least of three such times: a busy machine makes one of them long. */
async function leastTime(...of: Parameters<typeof timeOfFirst>): Promise<number> {
  const times = []
  for (let round = 0; round < 3; round++) times.push(await timeOfFirst(...of))
  return Math.min(...times)
}

test('no expression takes long to compile for the first text with a digit and a curly quote', async () => {
  const start = '{ content: module.createContentModerator(), close: () => {} }'
  // Where a word for a call and the number behind it were one expression: 250 and more.
  expect(await leastTime('A “good” car 🚗 with 5 doors', 'content/create-content-moderator.ts', start)).toBeLessThan(
    100,
  )
})

test('a worker that is ready has compiled what few texts need', async () => {
  const start = `module.startModeration(${SETTINGS})`
  const text = '“New” 🚗, wheels 23456789, stock no 0412345679, good car.Net price, one two two @ 6 &nbsp; <average'
  const cold = '{ content: module.createContentModerator(), close: () => {} }'
  const before = await leastTime(text, 'content/create-content-moderator.ts', cold)
  expect(await leastTime(text, 'start-moderation.ts', start)).toBeLessThan(0.6 * before)
})
