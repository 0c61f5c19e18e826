import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createJobReads } from '../../../api/inventory/job-reads.ts'

const LIMITS = { atOnce: 8, ofOneClient: 2, mostOfOne: 100, longestMs: 60_000 }
const MEGABYTE = 1024 ** 2

/** Reads that end when they are told to, in the order in which they began. */
function controlled(limits = LIMITS) {
  const readsOf = createJobReads(limits)
  const running: { name: string; end: () => void }[] = []
  let most = 0
  const read = (clientId: string, name = clientId, res = new EventEmitter()) => {
    const work = () =>
      new Promise<string>((resolve) => {
        running.push({ name, end: () => resolve(name) })
        most = Math.max(most, running.length)
      })
    return readsOf(res as never, clientId).inTurn(work)
  }
  const endOne = async () => {
    running.shift()?.end()
    await nextTurn()
  }
  return { read, endOne, names: () => running.map(({ name }) => name), most: () => most }
}

test('a client with many reads has two at once, and the read of another begins at once', async () => {
  const { read, endOne, names, most } = controlled()
  const many = Array.from({ length: 50 }, (_, at) => read('many', `many ${at}`))
  await nextTurn()
  expect(names()).toEqual(['many 0', 'many 1'])
  const other = read('other')
  await nextTurn()
  expect(names()).toEqual(['many 0', 'many 1', 'other'])
  while (names().length > 0) await endOne()
  expect([await other, (await Promise.all(many)).at(-1), most()]).toEqual(['other', 'many 49', 3])
})

test('the reads of all clients are few at once', async () => {
  const { read, endOne, names, most } = controlled()
  const all = Array.from({ length: 40 }, (_, at) => read(`client ${at % 20}`))
  await nextTurn()
  while (names().length > 0) await endOne()
  expect([(await Promise.all(all)).length, most()]).toEqual([40, 8])
})

test('a caller that has gone gives up its turn', async () => {
  const { read, endOne, names } = controlled({ ...LIMITS, ofOneClient: 1 })
  const gone = new EventEmitter()
  const first = read('a', 'first')
  const left = read('a', 'left', gone)
  const last = read('a', 'last')
  await nextTurn()
  gone.emit('close')
  await expect(left).rejects.toThrow('closed the connection')
  await endOne()
  expect(names()).toEqual(['last'])
  await endOne()
  expect([await first, await last]).toEqual(['first', 'last'])
})

test('a client that has its most reads under way is told to wait for them, and another is not', async () => {
  const { read, names, endOne } = controlled({ ...LIMITS, mostOfOne: 3 })
  const own = [read('a'), read('a'), read('a')]
  await expect(read('a')).rejects.toMatchObject({ code: 'too_many_requests', headers: { 'retry-after': '1' } })
  const other = read('b')
  await nextTurn()
  while (names().length > 0) await endOne()
  expect(await Promise.all([...own, other])).toEqual(['a', 'a', 'a', 'b'])
  // Those that were refused are not counted on.
  const again = read('a')
  await nextTurn()
  await endOne()
  expect(await again).toBe('a')
})

test('a wait that is too long ends with 429 where the client waits for itself, and with 503 where it waits for others', async () => {
  const { read } = controlled({ ...LIMITS, atOnce: 2, ofOneClient: 2, longestMs: 50 })
  const [, , waiting] = [read('a'), read('a'), read('a').catch((error: unknown) => error)]
  await expect(read('b')).rejects.toMatchObject({ code: 'not_ready', headers: { 'retry-after': '2' } })
  expect(await waiting).toMatchObject({ code: 'too_many_requests', headers: { 'retry-after': '1' } })
})

test('a client that leaves its answers unread has no more of them than it leaves to others', async () => {
  const readsOf = createJobReads(LIMITS)
  const unread = Array.from({ length: 40 }, () => new EventEmitter())
  const answers = unread.map((res) => readsOf(res as never, 'a').room(2 * MEGABYTE))
  const counted = (await Promise.allSettled(answers)).filter(({ status }) => status === 'fulfilled')
  expect(counted).toHaveLength(16)
  await expect(answers[39]).rejects.toMatchObject({ code: 'too_many_requests' })
  await readsOf(new EventEmitter() as never, 'b').room(2 * MEGABYTE)
  for (const res of unread) res.emit('close')
  await readsOf(new EventEmitter() as never, 'a').room(2 * MEGABYTE)
})

test('two long answers are not written in one turn of the event loop', async () => {
  const readsOf = createJobReads(LIMITS)
  let [turn, isCounting] = [0, true]
  const count = () => void setImmediate(() => isCounting && ((turn += 1), count()))
  count()
  const written = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      await readsOf(new EventEmitter() as never, `client ${at}`).room(2 * MEGABYTE)
      return turn
    }),
  )
  isCounting = false
  expect(new Set(written).size).toBe(4)
})
