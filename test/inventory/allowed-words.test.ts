import { afterEach, expect, test } from 'vitest'
import { replay } from '../../inventory/replay.ts'
import { createContentModerator } from '../../worker/moderation/content/create-content-moderator.ts'
import { startWorking, visibleModeration } from '../worker/working.ts'
import { openedStore, type OpenedStore } from './opened-store.ts'
import { batch, completed, item, jobIdOf, startUploadServer, type UploadServer } from './uploads.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

interface World {
  opened: OpenedStore
  server: UploadServer
}

/** Uploads of clients that may use a word, which nobody works on yet. */
async function world(): Promise<World> {
  const opened = await openedStore()
  open.push(() => opened.close())
  const server = await startUploadServer(() => opened.store, { bound: { allowedWords: ['Ärsche & Wanker', 'dick'] } })
  open.push(() => server.close())
  return { opened, server }
}

/** Starts a worker that moderates texts as it is deployed. */
function work({ opened }: World): void {
  const working = startWorking(() => opened.store, { ...visibleModeration(), content: createContentModerator() })
  open.push(() => working.stop(5_000))
}

const described = (description: string) => item('a', { vehicle: { description } })
const items = [described('By ÄRSCHE & WANKER'), described('Ask for Dick'), described('a wanker, Dick')]

test('the words that a client may use travel with its batch, and nothing else of it passes', async () => {
  const around = await world()
  work(around)
  const job = await completed(around.server, await jobIdOf(await around.server.post(batch(items))))
  const message = 'The text has a profane word: “wanker”. If it is a name, it can be allowed (allowedWords).'
  expect(job.errors).toMatchObject([{ index: 2, code: 'PROFANITY', message }])
})

test('a batch that was given up keeps the words when it is put back', async () => {
  const around = await world()
  const { store } = around.opened
  const id = await jobIdOf(await around.server.post(batch(items.slice(0, 2))))
  await store.deadLetters.keep((await store.queue.waiting('uploader', id))!, 'given up')
  const [letter] = await store.deadLetters.list()
  const again = await replay(letter!, store)
  work(around)
  expect(await completed(around.server, again!)).toMatchObject({ counts: { accepted: 2, rejected: 0 }, errors: [] })
})
