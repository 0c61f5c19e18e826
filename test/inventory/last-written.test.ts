import { expect, test } from 'vitest'
import { createLastWritten, type LastMessage } from '../../inventory/last-written.ts'

/** What is remembered of a stream whose server `has` these batches, on a clock that tests move. */
function world(most?: number) {
  const asked: string[] = []
  const server = { has: (_batch: string) => Promise.resolve(true), ms: 0 }
  const isStored = ({ batch }: { batch: string }) => {
    asked.push(batch)
    return server.has(batch)
  }
  const last = createLastWritten(isStored, { now: () => server.ms, ...(most && { most }) })
  const store = async (sequence: number, ...subjects: string[]) =>
    (await last.begin()).note(...batch(sequence, ...subjects))
  const recall = async (...subjects: string[]) => (await last.begin()).recall(subjects)
  return { last, server, asked, store, recall }
}

function batch(
  sequence: number,
  ...subjects: string[]
): [Map<string, LastMessage>, { sequence: number; batch: string }] {
  return [new Map(subjects.map((subject) => [subject, { sequence }])), { sequence, batch: `b${sequence}` }]
}

test('what was written is recalled while the server has the last message, and only as a whole', async () => {
  const { asked, store, recall } = world()
  await store(1, 'r')
  await store(2, 's')
  expect(await recall('r', 's')).toEqual(new Map([1, 2].map((sequence) => ['rs'[sequence - 1], { sequence }])))
  expect(await recall('s', 'other')).toBeUndefined()
  expect(asked).toEqual(['b1', 'b2', 'b2'])
})

test('where the server does not have the last message, all is forgotten, also when it has later ones again', async () => {
  const { server, store, recall } = world()
  await store(7, 's')
  server.has = () => Promise.resolve(false)
  expect(await recall('s')).toBeUndefined()
  server.has = () => Promise.resolve(true)
  await store(8, 't')
  expect([await recall('s'), await recall('t')]).toEqual([undefined, new Map([['t', { sequence: 8 }]])])
})

test('a batch that is stored below the last message, or long after the question, makes all before it forgotten', async () => {
  for (const [ms, sequence] of [
    [0, 6],
    [0, 7],
    [1001, 8],
    [-1, 8],
  ] as const) {
    const { last, server, store, recall } = world()
    await store(7, 's')
    const turn = await last.begin()
    server.ms += ms
    turn.note(...batch(sequence, 't'))
    expect(await recall('s')).toBeUndefined()
    expect(await recall('t')).toEqual(new Map([['t', { sequence }]]))
  }
})

test('two batches at once: the later message counts, in whatever order they are noted', async () => {
  const { last, asked, recall } = world()
  const [one, other] = [await last.begin(), await last.begin()]
  other.note(...batch(2, 's'))
  one.note(...batch(1, 's'))
  expect(await recall('s')).toEqual(new Map([['s', { sequence: 2 }]]))
  expect(asked).toEqual(['b2'])
})

test('when another batch of this process replaces the last message meanwhile, its own is asked for', async () => {
  const { last, server, asked, store, recall } = world()
  await store(1, 's')
  const turn = await last.begin()
  server.has = (name) => {
    if (name === 'b1') turn.note(...batch(2, 's'))
    return Promise.resolve(name !== 'b1')
  }
  expect(await recall('s')).toEqual(new Map([['s', { sequence: 2 }]]))
  expect(asked).toEqual(['b1', 'b1', 'b2'])
})

test('a batch that began before all was forgotten adds nothing', async () => {
  const { last, store, recall } = world()
  await store(1, 's')
  const turn = await last.begin()
  last.wasRight(false)
  turn.note(...batch(2, 's'))
  await recall()
  expect(await recall('s')).toBeUndefined()
})

test('after it was wrong, nothing is asked or recalled for one batch, then for two, four and at most 64', async () => {
  const { last, asked } = world()
  const pauseAfter = async (isRight: boolean) => {
    last.wasRight(isRight)
    let batches = 0
    while (!(await last.begin()).recall([])) batches += 1
    return batches
  }
  const pauses: number[] = []
  for (let time = 0; time < 8; time++) pauses.push(await pauseAfter(false))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
  expect([await pauseAfter(true), await pauseAfter(false)]).toEqual([0, 1])
  expect(asked).toEqual([])
})

test('only so many messages are remembered, and the newest are', async () => {
  const { store, recall } = world(10)
  const subjects = Array.from({ length: 100 }, (_, at) => `s${at}`)
  for (const [at, subject] of subjects.entries()) await store(at + 1, subject)
  const known = await Promise.all(subjects.map(async (subject) => ((await recall(subject)) ? subject : [])))
  expect(known.flat()).toEqual(subjects.slice(-10))
})
