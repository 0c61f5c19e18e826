import { expect, test } from 'vitest'
import { createQueue, type Queue } from '#runtime/kube/queue.ts'
import { createLog } from '#runtime/log.ts'

const log = createLog({ name: 'test', level: 'silent' })

test('a key that is added first runs before all that wait, also where it waits already', async () => {
  const runs: string[] = []
  const queue: Queue = createQueue({
    ...{ name: 'test', log },
    run: (key) => {
      runs.push(key)
      if (key === 'a') queue.add('d', { first: true })
      return Promise.resolve()
    },
  })
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key)
  await queue.idle()
  expect(runs).toEqual(['a', 'd', 'b', 'c'])
})

test('a key that is added first while it runs, runs next', async () => {
  const runs: string[] = []
  const queue: Queue = createQueue({
    ...{ name: 'test', log },
    run: (key) => {
      runs.push(key)
      if (runs.length === 1) queue.add('a', { first: true })
      return Promise.resolve()
    },
  })
  for (const key of ['a', 'b', 'c']) queue.add(key)
  await queue.idle()
  expect(runs).toEqual(['a', 'a', 'b', 'c'])
})
