import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inParallel } from '#runtime/in-parallel.ts'

test('every item is worked on, in order, and no more of them at a time than the limit', async () => {
  const started: number[] = []
  let [running, most] = [0, 0]
  const items = Array.from({ length: 10 }, (_, index) => index)
  await inParallel(3, items, async (item) => {
    started.push(item)
    most = Math.max(most, ++running)
    await sleep(1)
    running -= 1
  })
  expect([started, most, running]).toEqual([items, 3, 0])
  await inParallel(3, [], () => Promise.reject(new Error('There is none.')))
})

test('after an error no new item starts, and the first error comes once the running items have ended, one of them with another', async () => {
  const ended: string[] = []
  const slow = Promise.withResolvers<void>()
  const work = async (item: string) => {
    if (item === 'bad') throw new Error('first')
    await slow.promise
    ended.push(item)
    if (item === 'worse') throw new Error('second')
  }
  const done = inParallel(3, ['slow', 'worse', 'bad', 'after'], work)
  const early = await Promise.race([done.then(String, String), sleep(20, 'waits')])
  expect([early, ended]).toEqual(['waits', []])
  slow.resolve()
  await expect(done).rejects.toThrow('first')
  expect(ended).toEqual(['slow', 'worse'])
})
