import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../harness/temporary-directory.ts'

const moderation = new URL('../../../../worker/moderation/start-moderation.ts', import.meta.url)

/** Starts the moderation in a thread, which has compiled nothing before, and tells what its first text then takes. */
function timer(): URL {
  const file = join(temporaryDirectory('timer').path, 'timer.mjs')
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
    import { startModeration } from ${JSON.stringify(moderation.href)}
    const settings = { imageAllowedAddresses: [], imagesAtOnce: 1, imagesOfOneClient: 1 }
    const { content, close } = await startModeration(settings)
    const before = process.threadCpuUsage()
    content.check({ vehicle: { source_id: 'a', description: 'A “good” car 🚗 with 5 doors' } })
    parentPort.postMessage(process.threadCpuUsage(before).user / 1_000)
    await close()`,
  )
  return pathToFileURL(file)
}

test('the first text with a digit and a curly quote keeps the worker no longer than others', async () => {
  const [milliseconds] = await once(new Worker(timer()), 'message')
  // Without a text before it: 250 and more.
  expect(milliseconds).toBeLessThan(60)
})
