import { expect, test } from 'vitest'
import { createLastWritten, type LastMessage } from '../../inventory/last-written.ts'

/** What is remembered of a server that has each message unless `isLost` says otherwise. */
function world(most?: number) {
  const asked: number[] = []
  const server = { isLost: (_sequence: number): boolean => false, meanwhile: () => undefined as unknown }
  const last = createLastWritten(({ sequence }) => {
    asked.push(sequence)
    const isStored = !server.isLost(sequence)
    server.meanwhile()
    return Promise.resolve(isStored)
  }, most)
  const note = (sequence: number, ...subjects: string[]) =>
    last.note(new Map(subjects.map((subject) => [subject, { sequence }])), { sequence, batch: `b${sequence}` })
  const recall = async (...subjects: string[]) => ((await last.review()) ? last.recall(subjects) : undefined)
  return { last, server, asked, note, recall }
}

const messages = (sequences: Record<string, number>) =>
  new Map<string, LastMessage>(Object.entries(sequences).map(([subject, sequence]) => [subject, { sequence }]))

test('what was written is recalled while the server has the last message, and only as a whole', async () => {
  const { asked, note, recall } = world()
  note(1, 'r')
  expect(await recall('r')).toEqual(messages({ r: 1 }))
  note(2, 's')
  expect(await recall('r', 's')).toEqual(messages({ r: 1, s: 2 }))
  expect(await recall('s', 'other')).toBeUndefined()
  expect(asked).toEqual([1, 1, 2, 2])
})

test('what was not asked for is not recalled', async () => {
  const { last, note, recall } = world()
  await recall()
  note(1, 's')
  expect(last.recall(['s'])).toBeUndefined()
})

test('where the server does not have the last message, all is forgotten, also when it has later ones again', async () => {
  const { server, note, recall } = world()
  note(7, 's')
  await recall('s')
  server.isLost = () => true
  expect(await recall('s')).toBeUndefined()
  server.isLost = () => false
  await recall()
  note(8, 't')
  expect([await recall('t'), await recall('s')]).toEqual([messages({ t: 8 }), undefined])
})

test.each([
  [1, { t: 2 }, 's'],
  [2, { s: 1 }, 't'],
])('of two batches, only those are known whose last message the server has: not %i', async (lost, known, unknown) => {
  const { server, note, recall } = world()
  note(1, 's')
  await recall()
  // As when the stream was restored between the two.
  server.isLost = (sequence) => sequence === lost
  note(2, 't')
  expect(await recall(...Object.keys(known))).toEqual(messages(known as Record<string, number>))
  expect(await recall(unknown)).toBeUndefined()
})

test('batches at once share a question; the later message counts, in whatever order they are noted', async () => {
  const { asked, note, recall } = world()
  note(2, 's')
  note(1, 's')
  expect(await Promise.all([recall('s'), recall('s')])).toEqual([messages({ s: 2 }), messages({ s: 2 })])
  expect(asked).toEqual([2, 1])
})

test('what is stored while the server is asked is asked for the next time', async () => {
  const { server, asked, note, recall } = world()
  note(1, 's')
  server.meanwhile = () => {
    server.meanwhile = () => undefined
    note(2, 't')
  }
  expect(await recall('t')).toBeUndefined()
  expect(await recall('s', 't')).toEqual(messages({ s: 1, t: 2 }))
  expect(asked).toEqual([1, 1, 2])
})

test('when a batch was recalled in vain while the server is asked, the answer adds nothing', async () => {
  const { last, server, note, recall } = world()
  note(1, 's')
  server.meanwhile = () => last.wasRight(false)
  expect(await recall('s')).toBeUndefined()
  server.meanwhile = () => undefined
  await recall()
  expect(await recall('s')).toBeUndefined()
})

test('after it was wrong, nothing is asked or noted for one batch, then for two, four and at most 64', async () => {
  const { last, asked, note } = world()
  const pauseAfter = async (isRight: boolean) => {
    last.wasRight(isRight)
    const before = asked.length
    let batches = 0
    for (note(1, 's'); !(await last.review()); note(2, 's')) batches += 1
    // Of what was stored in the pause, only the last one.
    expect(asked.slice(before)).toEqual(isRight ? [2, 1] : [2])
    return batches
  }
  const pauses: number[] = []
  for (let time = 0; time < 8; time++) pauses.push(await pauseAfter(false))
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
  expect([await pauseAfter(true)]).toEqual([0])
})

test('only so many messages are remembered, and the newest are', async () => {
  const { note, recall } = world(10)
  const subjects = Array.from({ length: 100 }, (_, at) => `s${at}`)
  for (const [at, subject] of subjects.entries()) note(at + 1, subject)
  const known = await Promise.all(subjects.map(async (subject) => ((await recall(subject)) ? subject : [])))
  expect(known.flat()).toEqual(subjects.slice(-10))
})
