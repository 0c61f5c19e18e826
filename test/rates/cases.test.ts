import { expect, test } from 'vitest'
import { PricingFault, type Quote } from '#rates/engine/answer.ts'
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

test('there are cases for every pricing code that is quoted', () => {
  const counts = Map.groupBy(cases, ({ pricingCode }) => pricingCode)
  console.log([...counts].map(([code, own]) => `${code}: ${own.length} cases`).join(', '), `in all ${cases.length}`)
  const quoted = new Set(sets.filter(({ offers }) => offers !== undefined).map(({ pricingCode }) => pricingCode))
  expect(new Set(counts.keys())).toEqual(quoted)
})
