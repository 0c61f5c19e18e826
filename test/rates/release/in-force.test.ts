import { expect, test } from 'vitest'
import { mergedPeriods, provenPeriods } from '#rates/release/in-force.ts'

const seconds = (time: string) => Date.parse(time) / 1000
const period = (since: string, until?: string) => ({
  since: `${since}T00:00:00.000Z`,
  ...(until !== undefined && { until: `${until}T00:00:00.000Z` }),
})

test('a release without an end is proven until the day of the statement, and one that begins later not at all', () => {
  const said = [period('2026-03-01', '2026-03-05'), period('2026-04-01')]
  expect(provenPeriods(said, seconds('2026-04-10'))).toEqual([said[0], period('2026-04-01', '2026-04-10')])
  expect(provenPeriods(said, seconds('2026-04-01'))).toEqual([said[0]])
})

test('of two records of one period the one that lasts longer holds; periods of different starts stay apart', () => {
  const archived = [period('2026-03-01', '2026-03-20')]
  expect(mergedPeriods(archived, [period('2026-03-01', '2026-04-01')])).toEqual([period('2026-03-01', '2026-04-01')])
  expect(mergedPeriods(archived, [period('2026-03-01')])).toEqual([period('2026-03-01')])
  expect(mergedPeriods([period('2026-05-01')], archived)).toEqual([...archived, period('2026-05-01')])
})
