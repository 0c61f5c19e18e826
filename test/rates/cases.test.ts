import { expect, test } from 'vitest'
import { dayOf, financialYearOf } from '#rates/engine/dates.ts'
import { readCases, type QuoteCase } from '#rates/files/cases.ts'
import { runCase } from '#rates/proof/run-case.ts'
import { sets, snapshotOf } from './properties/sets.ts'

const snapshot = snapshotOf(sets)
const cases = readCases(['rates/cases'])

/** What of a case's expectations the quote does not meet, in words. */
const differences = (one: QuoteCase): string[] =>
  runCase(one, snapshot).map(({ what, expected, got }) => `${what} is ${got}, expected ${expected}`)

const files = Map.groupBy(cases, ({ file }) => file)

test.each([...files])('%s: every quote is what the law gives', (_file, own) => {
  const wrong = own.flatMap((one) => differences(one).map((words) => `${one.file}:${one.line}: ${one.name}: ${words}`))
  expect(wrong).toEqual([])
})

/** The number of cases of each pricing code in each financial year, as the columns of a table. */
function countsByYear(): Record<string, Record<string, number>> {
  const codes = Map.groupBy(cases, ({ pricingCode }) => pricingCode)
  const rows = [...codes].map(([code, own]) => {
    const years = Map.groupBy(own, ({ request }) => financialYearOf(dayOf(request.date ?? '')))
    const counts = [...years].toSorted().map(([year, some]) => [year, some.length] as const)
    return [code, { ...Object.fromEntries(counts), all: own.length }] as const
  })
  return Object.fromEntries(rows)
}

test('there are cases for every pricing code that is quoted, in every year', () => {
  const counts = countsByYear()
  console.log(`${cases.length} cases of the law`)
  console.table(counts)
  const counted = Object.entries(counts).flatMap(([code, years]) => Object.keys(years).map((year) => `${code} ${year}`))
  const quoted = sets.filter(({ offers }) => offers !== undefined)
  const without = quoted.map(({ pricingCode, financialYear }) => `${pricingCode} ${financialYear}`)
  expect(without.filter((each) => !counted.includes(each))).toEqual([])
})
