import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Kube, SendOptions } from '#runtime/kube/kube.ts'
import { WITHDRAWN_LABEL } from '../../../operator/publish/stamps.ts'
import { inventedSet } from '../invented-set.ts'
import { PublishedPlace, startPublishedPlace } from './published-place.ts'

// The publisher on a real kube-apiserver, some of whose answers it never receives while it tidies up.
const DAY = 86_400_000
/** What the answer may take that a client does not limit. */
const UNLIMITED_MS = 30_000
const au = inventedSet('AU')
let place: PublishedPlace
let time = Date.parse('2026-03-01T00:00:00.000Z')
let isAnswered = true
let waitedMs = 0

beforeAll(async () => {
  const { kube, stop } = await startPublishedPlace()
  place = new PublishedPlace(lossy(kube), stop)
  place.now = () => new Date(time)
}, 120_000)
afterAll(() => place.stop())
beforeEach(() => {
  isAnswered = true
  waitedMs = 0
})

/** A deletion or a mark without an answer costs the time that its client gives it. */
function lossy(kube: Kube): Kube {
  const lost = ({ timeoutMs = UNLIMITED_MS }: SendOptions = {}) => {
    waitedMs += timeoutMs
    return Promise.reject(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  }
  const isMark = (metadata: object) => JSON.stringify(metadata).includes(WITHDRAWN_LABEL)
  return {
    ...kube,
    delete: (...all) => (isAnswered ? kube.delete(...all) : lost(all[2])),
    patchMetadata: (...all) => (isAnswered || !isMark(all[1]) ? kube.patchMetadata(...all) : lost(all[2])),
  }
}

const nsw = (fee: number) => inventedSet('AU_NSW', { fee: `${fee}.00` })
const shardsOf = async (set: string) =>
  (await place.maps('rates')).filter(({ metadata }) => metadata?.name?.includes(set))

/** A run in which the requests that tidy up have no answer: the new content is published, after at most one wait. */
async function publishUnanswered(...specs: Parameters<PublishedPlace['publish']>) {
  isAnswered = false
  const run = await place.publish(...specs)
  isAnswered = true
  expect([run.isNew, run.untidy?.message]).toEqual([true, expect.stringContaining('timeout')])
  expect([(await place.index()).release, waitedMs]).toEqual([run.index.release, 5000])
}

test('a publication waits only briefly for the deletion of shards that no kept release needs', async () => {
  for (let fee = 1; fee <= 11; fee++) {
    await place.publish(au, nsw(fee))
    time += DAY
  }
  const before = await shardsOf('au-nsw')
  await publishUnanswered(au, nsw(12))
  expect((await shardsOf('au-nsw')).length).toBe(before.length + 1)
  // The next run has the same content, and no publication before the stored history is known to it.
  const again = await place.publish(au, nsw(12))
  expect([again.isNew, again.untidy]).toEqual([false, undefined])
  expect((await shardsOf('au-nsw')).length).toBe(before.length)
  time += DAY
  expect((await place.publish(au, nsw(13))).untidy).toBeUndefined()
  expect((await shardsOf('au-nsw')).length).toBe(before.length)
})

test('a publication waits only briefly for the mark of shards of withdrawn sets', async () => {
  const vic = inventedSet('AU_VIC')
  const marks = async () => (await shardsOf('au-vic')).map(({ metadata }) => metadata?.labels?.[WITHDRAWN_LABEL])
  await place.publish(au, vic)
  await publishUnanswered(au, { ...vic, withdrawn: true })
  expect(await marks()).toEqual([undefined])
  expect((await place.publish(au, { ...vic, withdrawn: true })).untidy).toBeUndefined()
  expect(await marks()).toEqual(['true'])
})
