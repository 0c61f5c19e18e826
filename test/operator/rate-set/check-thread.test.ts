import { afterEach, expect, test } from 'vitest'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { ChecksUnavailable, startCheckThread, type CheckThread } from '../../../operator/rate-set/check-thread.ts'
import { inventedSet } from '../invented-set.ts'
import { committedFiles } from '../../rates/committed-files.ts'

let thread: CheckThread | undefined
afterEach(() => thread?.stop())

const entry = new URL('./hostile-thread.ts', import.meta.url)

function start(options: { deadlineMs?: number; megabytes?: number; entry?: URL } = {}): string[] {
  const said: string[] = []
  const log = { warn: (_: object, message?: string) => void said.push(message ?? '') }
  thread = startCheckThread({ deadlineMs: 300, megabytes: 64, entry, log: log as never, ...options })
  return said
}

const judge = (timeZone: string) =>
  thread!.check({ name: 'au-fy27', spec: { ...inventedSet('AU'), timeZone }, imports: [] })

test('a set whose checks never end has a fault, and the next one is judged', async () => {
  const said = start()
  expect(await judge('Runs/for_ever')).toMatchObject([{ check: 'check-deadline', message: /more than 0.3 s/ }])
  expect(await judge('Is/good')).toMatchObject([{ check: 'judged', message: 'Is/good' }])
  expect(said).toHaveLength(1)
})

test('a set whose checks take all memory has a fault, and the process goes on', async () => {
  start({ deadlineMs: 30_000 })
  expect(await judge('Takes/all')).toMatchObject([{ check: 'check-memory', message: /more than 64 MiB/ }])
  expect(await judge('Is/good')).toMatchObject([{ check: 'judged' }])
})

test('a thread that throws or leaves is a fault of the set that it judged', async () => {
  start()
  expect(await judge('Throws/at_once')).toMatchObject([{ check: 'check-crashed', message: /thrown on purpose/ }])
  expect(await judge('Leaves/at_once')).toMatchObject([{ check: 'check-crashed', message: /exit code 7/ }])
  expect(await judge('Is/good')).toMatchObject([{ check: 'judged' }])
})

test('sets that are given at once are judged in turn, each for itself', async () => {
  start()
  const [first, second, third] = await Promise.all([judge('Is/first'), judge('Runs/for_ever'), judge('Is/third')])
  expect(first).toMatchObject([{ message: 'Is/first' }])
  expect(second).toMatchObject([{ check: 'check-deadline' }])
  expect(third).toMatchObject([{ message: 'Is/third' }])
})

test('a thread that does not start is no fault of a set', async () => {
  start({ entry: new URL('./there-is-none.ts', import.meta.url) })
  await expect(judge('Is/good')).rejects.toBeInstanceOf(ChecksUnavailable)
})

test('every real set passes in the thread that the operator starts', async () => {
  thread = startCheckThread({ deadlineMs: 5000, megabytes: 128, log: { warn: () => undefined } })
  const sets = committedFiles.map(({ spec }) => spec as RateSetSpec)
  const imports = (spec: RateSetSpec) =>
    sets.filter((each) => each.financialYear === spec.financialYear && spec.imports?.includes(each.pricingCode))
  for (const spec of sets) {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    expect(await thread.check({ name, spec, imports: imports(spec) })).toEqual([])
  }
})
