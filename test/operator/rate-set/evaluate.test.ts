import { expect, test } from 'vitest'
import type { Fault } from '#rates/engine/fault.ts'
import { systemClock } from '#runtime/clock.ts'
import { decide } from '../../../operator/rate-set/decide.ts'
import { evaluator } from '../../../operator/rate-set/evaluate.ts'
import { inProcess, rateSetChecks, type Checked } from '../../../operator/rate-set/checks.ts'
import { inventedSet } from '../invented-set.ts'

const MINUTE = 60_000

/** An evaluation whose checks find what `find` says; it counts how often a set was judged. */
function counted(find: (checked: Checked) => Fault[]) {
  const judged: string[] = []
  let now = Date.parse('2026-11-22T00:00:00Z')
  const check = (checked: Checked) => {
    judged.push(checked.name)
    return Promise.resolve(find(checked))
  }
  const evaluate = evaluator(check, { ...systemClock, now: () => new Date(now) })
  return { judged, evaluate, pass: (ms: number) => (now += ms) }
}

const federal = { name: 'au-fy27', spec: inventedSet('AU') }
const victoria = { name: 'au-vic-fy27', spec: inventedSet('AU_VIC'), lastGood: inventedSet('AU_VIC', { fee: '1.00' }) }

test('a check that throws is a fault of the set that it judged, and the others are published', async () => {
  const checks = rateSetChecks((spec) => {
    if ((spec as { pricingCode: string }).pricingCode === 'AU_VIC') throw new RangeError('division by zero')
    return []
  })
  const { verdicts } = await decide(
    [federal, victoria],
    evaluator(inProcess(checks), systemClock),
  )
  expect(verdicts.get('au-fy27')).toMatchObject({ version: 'new', reason: 'Published' })
  expect(verdicts.get('au-vic-fy27')).toMatchObject({
    version: 'lastGood',
    reason: 'CheckFailed',
    faults: [{ check: 'check-crashed', message: 'the check rates ended with RangeError: division by zero' }],
  })
})

test('a set that cannot be encoded keeps its last good content, and the others are published', async () => {
  // A half of a pair has no form in canonical JSON.
  const unwritable = { ...inventedSet('AU_VIC'), timeZone: 'Half/\ud800' }
  const { evaluate } = counted(() => [])
  const { verdicts } = await decide([federal, { ...victoria, spec: unwritable }], evaluate)
  expect(verdicts.get('au-fy27')).toMatchObject({ version: 'new', reason: 'Published' })
  expect(verdicts.get('au-vic-fy27')).toMatchObject({ version: 'lastGood', faults: [{ check: 'check-crashed' }] })
})

test('the same content is judged once', async () => {
  const { judged, evaluate, pass } = counted(() => [])
  await decide([federal, victoria], evaluate)
  pass(24 * 60 * MINUTE)
  await decide([federal, victoria], evaluate)
  expect(judged).toEqual(['au-fy27', 'au-vic-fy27'])
})

test('content whose checks did not end is judged again, but not before ten minutes', async () => {
  const { judged, evaluate, pass } = counted(() => [{ check: 'check-deadline', path: '', message: 'too long' }])
  await decide([federal], evaluate)
  pass(9 * MINUTE)
  await decide([federal], evaluate)
  expect(judged).toHaveLength(1)
  pass(2 * MINUTE)
  await decide([federal], evaluate)
  expect(judged).toHaveLength(2)
})

test('outcomes of content that is gone are forgotten, those in use are kept', async () => {
  const faults = Array.from({ length: 200 }, () => ({ check: 'c', path: '', message: 'm' }))
  const { judged, evaluate } = counted(({ spec }) => (spec.pricingCode === 'AU' ? [] : faults))
  for (let fee = 0; fee < 60; fee++)
    await decide([federal, { name: 'au-vic-fy27', spec: inventedSet('AU_VIC', { fee: `${fee}.00` }) }], evaluate)
  expect(judged.filter((name) => name === 'au-fy27')).toHaveLength(1)
  judged.length = 0
  await decide([federal, { name: 'au-vic-fy27', spec: inventedSet('AU_VIC', { fee: '0.00' }) }], evaluate)
  expect(judged).toEqual(['au-vic-fy27'])
})
