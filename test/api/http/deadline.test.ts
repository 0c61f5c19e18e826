import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeadline } from '../../../api/http/deadline.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const sleep = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('what is removed in time never expires, and what is not expires once, each at its own time', async () => {
  const deadline = createDeadline(60)
  const expired: string[] = []
  const answered = deadline.add(() => expired.push('answered'))
  deadline.add(() => expired.push('first'))
  await sleep(30)
  deadline.remove(answered)
  deadline.add(() => expired.push('second'))
  await sleep(45)
  expect(expired).toEqual(['first'])
  await sleep(100)
  expect(expired).toEqual(['first', 'second'])
})

test('a deadline that nothing waits for any more starts again with the next that waits', async () => {
  const deadline = createDeadline(10)
  deadline.remove(deadline.add(() => expect.unreachable()))
  await sleep(30)
  const start = performance.now()
  let expiredAt = 0
  deadline.add(() => (expiredAt = performance.now()))
  await sleep(20)
  expect(expiredAt - start).toBe(10)
})
