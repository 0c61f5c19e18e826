import { expect, test } from 'vitest'
import { changedEntries, namesOf } from '../../../operator/loop/changes.ts'
import { refusalLog } from '../../../operator/loop/refusals.ts'
import type { Logger } from '#runtime/log.ts'

function logged() {
  const lines: object[] = []
  const log = { info: (fields: object, message: string) => lines.push({ ...fields, message }) } as unknown as Logger
  return { lines, refusals: refusalLog(log) }
}

const fault = (message: string) => ({ check: 'examples', path: 'examples[0]', message })
const refused = { name: 'au-vic-fy27', generation: 2, reason: 'CheckFailed', faults: [fault('is 1'), fault('is 2')] }

test('a refused object is one line by name with its first fault, however often it is found', () => {
  const { lines, refusals } = logged()
  for (let run = 0; run < 3; run += 1) refusals.tell('rates', [refused, { name: 'au-fy27', generation: 1, faults: [] }])
  expect(lines).toEqual([
    {
      ...{ kind: 'RateSet', name: 'au-vic-fy27', generation: 2, reason: 'CheckFailed', faults: 2, message: 'refused' },
      ...{ check: 'examples', path: 'examples[0]', fault: 'is 1' },
    },
  ])
})

test('another fault, and the same fault after it was corrected, are lines of their own', () => {
  const { lines, refusals } = logged()
  refusals.tell('rates', [refused])
  refusals.tell('rates', [{ ...refused, faults: [fault('is 3')] }])
  refusals.tell('rates', [{ ...refused, faults: [] }])
  refusals.tell('rates', [refused])
  expect(lines).toHaveLength(3)
})

test('a publication names what changed, came or went; of many it names some and counts the rest', () => {
  const before = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ])
  const changed = changedEntries(
    before,
    new Map([
      ['a', 1],
      ['b', 2],
      ['d', 1],
    ]),
  )
  expect(namesOf(changed)).toEqual({ changed: ['b', 'c', 'd'] })
  const many = changedEntries(new Map(), new Map(Array.from({ length: 100 }, (_, nth) => [`c${nth}`, 1])))
  expect(namesOf(many)).toMatchObject({ more: 70 })
  expect(namesOf(changedEntries(undefined, before))).toEqual({})
})
