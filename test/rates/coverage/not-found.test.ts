import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseNotFound } from '#rates/coverage/not-found.ts'
import { sets } from '../properties/sets.ts'

const FILE = 'rates/coverage/not-found.yaml'
const text = readFileSync(FILE, 'utf8')

test('every figure of the committed list is of a component of its set, which says that it is not priced', () => {
  const strangers = parseNotFound(text, FILE).flatMap(({ pricingCode, component, financialYears }) =>
    financialYears
      .filter((year) => {
        const set = sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)
        const cases = set?.rules.filter((rule) => rule.component === component).flatMap((rule) => rule.cases) ?? []
        return !cases.some(
          (one) => one.unpriced ?? one.charge?.table?.rows.some(({ amounts }) => amounts.includes('-')),
        )
      })
      .map((year) => `${pricingCode} ${component} ${year}`),
  )
  expect(strangers).toEqual([])
})

test('a figure for which nothing was searched is refused, with file and line', () => {
  const cut = text.replace(/\n {4}searched: .*/, '')
  const line = cut.split('\n').findIndex((one) => one.startsWith('  - ')) + 1
  expect(() => parseNotFound(cut, FILE)).toThrow(`${FILE}:${line}:`)
})
