import { expect, test } from 'vitest'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { oldAndNew } from '#rates/diff/old-and-new.ts'

const told = (were: string[], are: string[]) =>
  oldAndNew({
    ...{ kind: 'concession', key: 'adjusted', parts: [were, are], old: were.join(', '), new: are.join(', ') },
  } as unknown as FigureChange)

const where = `where ${'private use, or '.repeat(12)}pensioner`

test('an adjustment keeps its amount, and says that it is the same for each term, whatever else stays the same', () => {
  const perTerm = ['$154 off', 'for 12 months, by the term', where]
  expect(told(perTerm, ['$154 off', where])).toEqual([
    '$154 off, for 12 months, by the term',
    `$154 off, whatever the term, ${where}`,
  ])
  expect(told(['$5 off', 'for 12 months, by the term'], ['5 % off'])[1]).toBe('5 % off')
})

test('the condition of an adjustment is said once where it stays the same', () => {
  expect(told(['$0 off', 'where not taxi'], ['$50 off', 'where not taxi'])).toEqual([
    '$0 off',
    '$50 off, where not taxi',
  ])
})

test('a condition that changes is said on both sides', () => {
  expect(told(['$5 off', 'where not taxi'], ['$5 off'])).toEqual([
    '$5 off, where not taxi',
    '$5 off, without a condition',
  ])
  const [was, is] = told(['$5 off', `${where} A`], ['$5 off', `${where} B`])
  expect([was, is]).toEqual([expect.stringMatching(/^\$5 off, .* A$/), expect.stringMatching(/^\$5 off, .* B$/)])
})
