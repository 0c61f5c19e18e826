import { expect, test } from 'vitest'
import type { Fault } from '#rates/checks/fault.ts'
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
  const { verdicts } = await decide([federal, victoria], evaluator(inProcess(checks), systemClock))
  expect(verdicts.get('au-fy27')).toMatchObject({ version: 'new', reason: 'Published' })
  expect(verdicts.get('au-vic-fy27')).toMatchObject({
    version: 'lastGood',
    reason: 'CheckFailed',
    faults: [{ check: 'check-crashed', message: 'the check rates crashed with RangeError: division by zero' }],
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

test('forty sets that take long to refuse keep an edit of another set waiting for one run at most', async () => {
  let elapsed = 0
  const judged: string[] = []
  const check = ({ name, spec }: Checked) => {
    judged.push(name)
    const isBad = spec.sources[0]?.label === 'costly'
    elapsed += isBad ? 1100 : 10
    return Promise.resolve(isBad ? [{ check: 'cost', path: '', message: 'costly' }] : [])
  }
  const evaluate = evaluator(check, { ...systemClock, elapsed: () => elapsed })
  const costly = Array.from({ length: 40 }, (_, at) => {
    const spec = inventedSet('AU', { year: `${2030 + at}-${2031 + at}` })
    return { name: `a-${at}`, spec: { ...spec, sources: [{ ...spec.sources[0]!, label: 'costly' }] } }
  })
  const run = async (...more: { name: string; spec: ReturnType<typeof inventedSet> }[]) => {
    const startedAt = elapsed
    const { verdicts } = await decide([...costly, ...more], evaluate)
    return { verdicts, tookMs: elapsed - startedAt }
  }
  const first = await run(federal)
  expect(first.tookMs).toBeLessThan(2000)
  // The good one comes last by name, after what was refused; later runs come to it.
  await run(federal)
  // An edit that came during a run that caught up is judged in the next, which judges nothing that was put off.
  const edit = { name: 'au-fy28', spec: inventedSet('AU', { year: '2027-2028' }) }
  const { verdicts, tookMs } = await run(federal, edit)
  expect(verdicts.get('au-fy28')?.version).toBe('new')
  expect(tookMs).toBeLessThan(100)
  for (let runs = 0; judged.filter((name) => name.startsWith('a-')).length < 40; runs += 1) {
    expect(runs).toBeLessThan(100)
    expect((await run(federal, edit)).tookMs).toBeLessThan(2000)
  }
  const last = await run(federal, edit)
  expect(costly.map(({ name }) => last.verdicts.get(name)?.faults[0]?.check)).toEqual(costly.map(() => 'cost'))
  // Each was judged once: a refusal is remembered by its content.
  expect(new Set(judged).size).toBe(judged.length)
})

test('an importer is not blamed while its import waits to be judged', async () => {
  let elapsed = 0
  const check = ({ name }: Checked) => {
    elapsed += 1100
    return Promise.resolve(
      name === 'au-vic-fy27' || name === 'a' ? [{ check: 'cost', path: '', message: 'costly' }] : [],
    )
  }
  const evaluate = evaluator(check, { ...systemClock, elapsed: () => elapsed })
  const bad = { name: 'a', spec: inventedSet('AU', { year: '2030-2031' }) }
  const known = { ...federal, lastGood: inventedSet('AU', { fee: '2.00' }) }
  const { verdicts } = await decide([bad, known, victoria], evaluate)
  expect(verdicts.get('a')?.faults[0]?.check).toBe('cost')
  for (const name of ['au-fy27', 'au-vic-fy27'])
    expect(verdicts.get(name)).toMatchObject({ version: 'lastGood', isPostponed: true, faults: [] })
})
