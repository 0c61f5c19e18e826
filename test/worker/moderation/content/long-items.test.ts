import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'
import { createLongItems, type LongItems } from '../../../../worker/moderation/content/long-items.ts'
import { temporaryDirectory } from '../../../harness/temporary-directory.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

function longItems(entry?: URL): LongItems {
  const long = createLongItems(entry)
  open.push(() => long.close())
  return long
}

/** A thread that answers with what it was sent and its own number; at `exit` it ends, and at `silence` it does not answer. */
function parrot(): URL {
  const file = join(temporaryDirectory('thread').path, 'thread.mjs')
  writeFileSync(
    file,
    `import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', ({ json }) => {
      if (json === 'exit') process.exit(1)
      if (json === 'throw') throw new Error('no such text')
      if (json !== 'silence') parentPort.postMessage([json, threadId])
    })`,
  )
  return pathToFileURL(file)
}

const { signal } = new AbortController()
const of = (clientId: string, json: string) => ({ clientId, json, signal })

test('a long item has the faults that the rules find, while other work goes on', async () => {
  const json = `{"vehicle":{"source_id":"a","price":1.0000000000000000001,"description":"A dick ${'good car '.repeat(50_000)}shit","notes":"call 0412 345 678"}}`
  const allowedWords = ['Shit']
  let isDone = false
  const check = longItems().check({ ...of('c', json), allowedWords })
  void check.then(() => (isDone = true))
  let turns = 0
  for (; !isDone && turns < 100; turns += 1) await nextTurn()
  expect(turns).toBe(100)
  const faults = await check
  expect(faults).toEqual(createContentModerator().check(JSON.parse(json), allowedWords))
  expect(faults).toMatchObject([{ code: 'PROFANITY' }, { path: '/vehicle/notes', code: 'CONTACT_DETAILS' }])
})

test('an item of another client waits for one item, however many a client has', async () => {
  const long = longItems(parrot())
  const done: string[] = []
  const items = [of('many', 'first'), of('many', 'second'), of('many', 'third'), of('other', 'other')]
  await Promise.all(items.map((item) => long.check(item).then(() => done.push(item.json))))
  expect(done).toEqual(['first', 'other', 'second', 'third'])
})

test.each(['exit', 'throw'])(
  'a thread that ends (%s) fails its item alone, and the next one gets a new thread',
  async (how) => {
    const long = longItems(parrot())
    const [, former] = await long.check(of('c', 'before'))
    const [failed, next] = await Promise.allSettled([long.check(of('c', how)), long.check(of('c', 'after'))])
    expect(failed).toMatchObject({ reason: { message: 'the thread that checks texts has ended' } })
    expect(next).toMatchObject({ value: ['after', expect.any(Number)] })
    expect(next).not.toMatchObject({ value: ['after', former] })
  },
)

test('the thread ends when its work is given up, and so are items that wait', async () => {
  const long = longItems(parrot())
  const [, former] = await long.check(of('c', 'before'))
  const stop = new AbortController()
  const abandoned = ['silence', 'waits'].map((json) => long.check({ ...of('c', json), signal: stop.signal }))
  const settled = Promise.allSettled(abandoned)
  await nextTurn()
  stop.abort(new Error('the worker is stopping'))
  expect(await settled).toMatchObject(abandoned.map(() => ({ reason: { message: 'the worker is stopping' } })))
  const [, next] = await long.check(of('c', 'after'))
  expect(next).not.toEqual(former)
})
