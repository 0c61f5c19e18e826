import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Item } from '../../inventory/batch.ts'
import { checkContents, type CheckedAttempt } from '../../worker/batches/check-contents.ts'
import { measured } from '../../worker/batches/metrics.ts'
import type { ContentFault, ContentModerator, LongItem } from '../../worker/moderation/types.ts'

const { signal } = new AbortController()
const FAULT: ContentFault = { path: '/vehicle/description', code: 'PROFANITY', message: 'forbidden' }
const item = (sourceId: string, length: number): Item => ({
  vehicle: { source_id: sourceId, description: 'x'.repeat(length) },
  assets: [{ src: `https://img.test/${sourceId}.jpg` }],
})
const attempt = (items: Item[], further: Partial<CheckedAttempt['batch']> = {}): CheckedAttempt => ({
  ...{ jobId: '019aa9a2-6f0e-7a59-9d5a-6a8f5d2a3c11', clientId: 'uploader', allowedWords: ['dick'], signal },
  batch: { source_name: 'test', items, ...further },
})

/** A moderator that takes its time for long items. */
function slowForLong() {
  const asked: (LongItem & PromiseWithResolvers<readonly ContentFault[]>)[] = []
  const content: ContentModerator = {
    check: ({ vehicle }) => (String(vehicle['description']).length > 40_000 ? expect.unreachable() : []),
    checkLong: (long) => {
      const answer = Promise.withResolvers<readonly ContentFault[]>()
      asked.push({ ...long, ...answer })
      return answer.promise
    },
  }
  const registry = new Registry()
  const moderator = measured({ content, images: { judge: () => expect.unreachable() } }, registry).content
  return { asked, moderator, registry }
}

async function batchesOfOther(moderator: ContentModerator): Promise<void> {
  for (let batch = 0; batch < 100; batch += 1) await checkContents(attempt([item('other', 1_000)]), moderator)
}

test('a batch of short items is done while a long item of another is checked, which holds no items then', async () => {
  const { asked, moderator, registry } = slowForLong()
  const long = attempt([item('long', 100_000), item('short', 10), item('longer', 200_000)])
  const order: string[] = []
  const checked = checkContents(long, moderator).then((all) => (order.push('long'), all))
  await batchesOfOther(moderator)
  order.push('short')
  expect(long.batch.items).toEqual([])
  expect(asked).toMatchObject([{ json: JSON.stringify(item('long', 100_000)), clientId: 'uploader', signal }])
  expect(asked[0]?.allowedWords).toEqual(['dick'])
  asked[0]?.resolve([FAULT])
  await batchesOfOther(moderator)
  asked[1]?.resolve([])
  expect(await checked).toMatchObject([
    {
      ...{ sourceId: 'long', index: 0, isRejected: true, pictures: 0 },
      errors: [{ path: '/items/0/vehicle/description', code: 'PROFANITY' }],
      images: { rejected: [{ src: 'https://img.test/long.jpg' }] },
    },
    { sourceId: 'short', index: 1, isRejected: false, pictures: 1 },
    { sourceId: 'longer', index: 2, isRejected: false, pictures: 1, errors: [] },
  ])
  expect(order).toEqual(['short', 'long'])
  expect(await registry.metrics()).toContain('results_total{kind="content",result="PROFANITY"} 1')
})

test('a long item that cannot be checked fails the attempt, and one that is not to be moderated is not checked', async () => {
  const { asked, moderator } = slowForLong()
  const checked = checkContents(attempt([item('long', 100_000)]), moderator)
  await batchesOfOther(moderator)
  asked[0]?.reject(new Error('the thread has ended'))
  await expect(checked).rejects.toThrow('the thread has ended')
  const unmoderated = attempt([item('long', 100_000)], { moderate_content: false })
  expect(await checkContents(unmoderated, moderator)).toMatchObject([
    { sourceId: 'long', isRejected: false, errors: [] },
  ])
  expect(asked).toHaveLength(1)
})
