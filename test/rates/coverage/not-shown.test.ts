import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseNotFound } from '#rates/coverage/not-found.ts'
import { sets } from '../properties/sets.ts'

const FILE = 'rates/coverage/not-shown.yaml'
const listed = parseNotFound(readFileSync(FILE, 'utf8'), FILE)

test('every figure that no official page shows is of a rule of its set, and none of that rule is graded official', () => {
  const wrong = listed.flatMap(({ pricingCode, component, financialYears }) =>
    financialYears
      .filter((year) => {
        const set = sets.find((one) => one.pricingCode === pricingCode && one.financialYear === year)
        const rules = set?.rules.filter((rule) => rule.component === component) ?? []
        return rules.length === 0 || rules.some(({ verification }) => verification.evidence === 'official')
      })
      .map((year) => `${pricingCode} ${component} ${year}`),
  )
  expect(wrong).toEqual([])
})
