import { expect, test } from 'vitest'
import { describeFault } from '#rates/files/located.ts'
import { parseOnce } from '#rates/files/parse-once.ts'
import { HEAD } from './head.ts'

test('a text that stands in two files is parsed once, and each file keeps its name and its places', () => {
  const [old, now] = ['old/fy27.yaml', 'new/fy27.yaml'].map((file) => parseOnce(HEAD, file))
  expect(now?.spec).toBe(old?.spec)
  expect([old?.file, now?.file]).toEqual(['old/fy27.yaml', 'new/fy27.yaml'])
  expect(now?.locate('spec.financialYear')).toEqual({ line: 6, column: 3 })
})

test('a fault names the file in which it stands, also when another file has it too', () => {
  const faultsOf = (file: string) => parseOnce(`${HEAD}  quotable: no\n`, file).faults.map(describeFault)
  expect(faultsOf('old.yaml')).toEqual([expect.stringMatching(/^old\.yaml:7:13: quote it: "no"/)])
  expect(faultsOf('new.yaml')).toEqual([expect.stringMatching(/^new\.yaml:7:13: quote it: "no"/)])
})
