import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkAll } from '#rates/checks/check-all.ts'
import { reviewFaults } from '#rates/checks/review-dates.ts'
import { subjectOf } from '#rates/checks/subject.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { checkCases } from '#rates/files/cases.ts'
import { describeFault } from '#rates/files/located.ts'
import { parse } from '#rates/files/rate-set-file.ts'
import { countCarriedOver } from '#rates/new-year/carried-over.ts'
import { carryCases, carrySet } from '#rates/new-year/carry.ts'
import { moveTo, yearEnding } from '#rates/new-year/years.ts'
import { runCase } from '#rates/proof/run-case.ts'

const codes = readdirSync('rates/sets').filter((name) => name.startsWith('au'))
const latest = Math.max(...readdirSync('rates/sets/au').map((name) => 2000 + Number(/\d\d/.exec(name)![0])))
const move = moveTo(latest + 1)
const textOf = (code: string) => readFileSync(join('rates/sets', code, `fy${latest % 100}.yaml`), 'utf8')
const federal = parse(carrySet(textOf('au'), move, []).text, 'au')

test.each(codes)('%s is carried over to the next year without a fault', (code) => {
  const imports = code === 'au' ? [] : [federal]
  const { text, moved } = carrySet(textOf(code), move, imports)
  const next = parse(text, code)
  expect(checkAll([next], imports).map(describeFault)).toEqual([])
  const spec = next.spec as RateSetSpec
  expect(spec.financialYear).toBe(yearEnding(latest + 1))
  expect(reviewFaults(subjectOf(spec, []), '2026-11-23')).toEqual([])
  expect(moved).toBe(spec.examples?.length)
  expect(moved).toBeGreaterThan(10)
  // No figure that a quote may charge is graded better than it is.
  const charged = spec.rules.flatMap(({ cases }) => cases).filter(({ charge, exempt }) => charge ?? exempt)
  expect(charged.filter((one) => countCarriedOver(one) === 0)).toEqual([])
  expect(JSON.stringify(spec).match(/"evidence":"(official|secondary|derived)"|"upperBound":true/g)).toBeNull()
})

test('cases move with the set; those about a figure that ended are left out by name', () => {
  const set = carrySet(textOf('au-act'), move, [federal])
  const carried = carryCases(readFileSync('rates/cases/au-act/dates.yaml', 'utf8'), move, set)!
  expect(carried.leftOut.length).toBeGreaterThan(0)
  const { cases, faults } = checkCases(carried.text, 'dates.yaml')
  expect(faults).toEqual([])
  expect(cases).toHaveLength(carried.moved)
  for (const one of cases) {
    expect(one.request.date > `${latest}-06-30`, one.name).toBe(true)
    expect(one.name).not.toContain(String(latest - 1))
    expect(runCase(one, set.snapshot)).toEqual([])
  }
})
