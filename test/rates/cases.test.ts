import { expect, test } from 'vitest'
import { PricingFault, type Quote } from '#rates/engine/answer.ts'
import { dayOf, financialYearOf } from '#rates/engine/dates.ts'
import { quote } from '#rates/engine/quote.ts'
import { readCases, type QuoteCase } from '#rates/files/cases.ts'
import { cents, requestOf } from './case-request.ts'
import { sets, snapshotOf } from './properties/sets.ts'

const snapshot = snapshotOf(sets)
const cases = readCases(['rates/cases'])

function price(one: QuoteCase): Quote | string {
  try {
    return quote(requestOf(one.request, one.pricingCode), snapshot)
  } catch (error) {
    if (error instanceof PricingFault) return error.code
    throw error
  }
}

/** What of a case's expectations the quote does not meet, in words. */
function differences(one: QuoteCase): string[] {
  const got = price(one)
  if (typeof got === 'string') return got === one.error ? [] : [`got ${got}, expected ${one.error ?? 'a quote'}`]
  if (one.error !== undefined) return [`got a quote, expected ${one.error}`]
  return [...figureDifferences(one, got), ...wordDifferences(one, got)]
}

function figureDifferences({ figures, driveAway }: QuoteCase, { categories, totals, metadata }: Quote): string[] {
  const lines = new Map(categories.onRoad.map(({ component, value }) => [component, value]))
  const wrong = Object.entries(figures).flatMap(([component, text]) => {
    const value = lines.get(component)
    const fits = /^-?\d/.test(text)
      ? value === cents(text)
      : value === undefined && (text === 'none' || metadata.warnings.length > 0)
    return fits ? [] : [`${component} is ${value === undefined ? 'none' : value / 100}, expected ${text}`]
  })
  if (driveAway === undefined || totals.driveAway === cents(driveAway)) return wrong
  return [...wrong, `the drive-away is ${totals.driveAway / 100}, expected ${driveAway}`]
}

function wordDifferences({ warnings, ruleIds }: QuoteCase, { categories, metadata }: Quote): string[] {
  const silent = warnings.filter((words) => !metadata.warnings.some((warning) => warning.includes(words)))
  const lines = Object.values(categories).flat()
  const strangers = Object.entries(ruleIds).filter(
    ([component, id]) => !lines.some((line) => line.component === component && line.ruleId === id),
  )
  return [
    ...silent.map((words) => `no warning says "${words}": ${metadata.warnings.join(' | ')}`),
    ...strangers.map(([component, id]) => `${component} has no line of ${id}`),
  ]
}

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
