import { expect, test } from 'vitest'
import { oldSide } from '#explorer/differences.ts'
import { sets, snapshotOf } from '../rates/properties/sets.ts'

test('what differs is said in the words of readers, without the names of the rate sets', () => {
  const now = snapshotOf(sets)
  const dearer = JSON.parse(JSON.stringify(sets).replaceAll('"rate":"10.40"', '"rate":"10.60"')) as typeof sets
  const { differences } = oldSide({ label: 'before', snapshot: snapshotOf(dearer) }, now, '2026-08-01')
  const said = differences.flatMap(({ what, was, is }) => [what, was, is])
  expect(said.length).toBeGreaterThan(0)
  expect(said.filter((text) => /\b[A-Z]+_[A-Z_]+\b|\b[a-z][a-z0-9]*[A-Z]\w*|kind:/.test(text))).toEqual([])
})
