import { expect, test } from 'vitest'
import { publishedAnswers, publishedPage } from '#rates/coverage/published-answers.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { committedFiles } from '../committed-files.ts'

const answers = publishedAnswers(
  committedFiles.map(({ spec }) => spec as RateSetSpec),
  compileRateSets(committedFiles),
)

test('every published example stands beside our answer, of every jurisdiction, and the two agree', () => {
  expect(new Set(answers.map(({ pricingCode }) => pricingCode)).size).toBe(9)
  for (const { example, financialYear, figures } of answers) {
    for (const { component, expected, ours } of figures) {
      const [wanted, got] = [expected, ours].map((text) => (/^-?\d/.test(text) ? Number(text) : text))
      expect([example, financialYear, component, got]).toEqual([example, financialYear, component, wanted])
    }
  }
})

// The source's own example: duty on $43,990, 440 units of $100 at $3.
test('an answer that is the same in several years is one row, with its source', () => {
  const rows = publishedPage(answers)
    .split('\n')
    .filter((line) => line.startsWith('| List price of \\$38,990 with options'))
  expect(rows).toHaveLength(1)
  expect(rows[0]).toContain('| STAMP_DUTY 1320.00 | STAMP_DUTY 1320.00 |')
  expect(rows[0]).toMatch(/\(<https?:.*>\) \| 2024-2025, 2025-2026, 2026-2027 \|$/)
})

test('what is an estimate of ours, or not priced, is not said to be published', () => {
  const act = answers.find(({ example }) => example === 'Fees of 2024-25')
  expect(act?.figures.map(({ component }) => component)).toEqual(['ESTABLISHMENT_FEE'])
})
