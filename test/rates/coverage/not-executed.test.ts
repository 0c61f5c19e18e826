import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseNotExecuted } from '#rates/coverage/not-executed.ts'

const FILE = 'rates/coverage/not-executed.yaml'
const text = readFileSync(FILE, 'utf8')

test('every figure of the committed list has a source and a reason', () => {
  const figures = parseNotExecuted(text, FILE)
  expect(figures.length).toBeGreaterThan(10)
  expect(figures.filter(({ url, reason }) => url === '' || reason === '')).toEqual([])
})

test('a figure without its reason is refused, with file and line', () => {
  const cut = text.replace(/\n {4}reason: .*/, '')
  const line = cut.split('\n').findIndex((one) => one.startsWith('  - ')) + 1
  expect(() => parseNotExecuted(cut, FILE)).toThrow(`${FILE}:${line}:`)
})

test('an unknown key is refused', () => {
  const misspelt = text.replace('    reason: ', '    reasons: ')
  expect(() => parseNotExecuted(misspelt, FILE)).toThrow('reasons')
})
