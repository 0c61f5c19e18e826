import { expect, test } from 'vitest'
import { createLastWritten } from '../../inventory/last-written.ts'

const subjects = (count: number) => Array.from({ length: count }, (_, number) => `s${number}`)

test('only so many messages are remembered, and the newest are', () => {
  const last = createLastWritten(() => 1, 10)
  for (const [at, subject] of subjects(100).entries()) last.note(subject, { sequence: at + 1 })
  expect(subjects(100).filter((subject) => last.recall([subject]))).toHaveLength(10)
  expect(last.recall(['s98', 's99'])).toEqual(
    new Map([
      ['s98', { sequence: 99 }],
      ['s99', { sequence: 100 }],
    ]),
  )
  expect(last.recall(['s99', 's0'])).toBeUndefined()
})

test('after it was wrong, it recalls nothing for one batch, then for two, four and at most 64', () => {
  const last = createLastWritten(() => 1)
  last.note('s', { sequence: 1 })
  const pauseAfter = (isRight: boolean) => {
    last.wasRight(isRight)
    let batches = 0
    while (!last.recall(['s'])) batches += 1
    return batches
  }
  expect([1, 2, 3, 4, 5, 6, 7, 8].map(() => pauseAfter(false))).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
  expect([pauseAfter(true), pauseAfter(false)]).toEqual([0, 1])
})

test('on another connection it knows nothing', () => {
  let connection = 1
  const last = createLastWritten(() => connection)
  last.note('s', { sequence: 1 })
  connection = 2
  expect(last.recall(['s'])).toBeUndefined()
  last.note('s', { sequence: 2 })
  connection = 3
  last.note('t', { sequence: 3 })
  expect([last.recall(['s']), last.recall(['t'])?.size]).toEqual([undefined, 1])
})
