import { expect, test } from 'vitest'
import type { Fault } from '#rates/checks/fault.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { systemClock } from '#runtime/clock.ts'
import { inProcess, rateSetChecks } from '../../../operator/rate-set/checks.ts'
import type { Evaluate } from '../../../operator/rate-set/assignment.ts'
import { decide, type RequestedSet, type PublicationDecision } from '../../../operator/rate-set/decide.ts'
import { evaluator } from '../../../operator/rate-set/evaluate.ts'
import { inventedSet } from '../invented-set.ts'

/** A set whose fee says its version, and whose time zone says which version of AU it can live with: `Needs/any`. */
function version(code: string, fee: string, needs = 'any'): RateSetSpec {
  return { ...inventedSet(code, { fee }), timeZone: `Needs/${needs}` }
}

const feeOf = (spec?: RateSetSpec) =>
  spec?.parameters?.[0]?.values[0]?.value ?? spec?.rules[0]?.cases[0]?.charge?.flat ?? 'none'

function fits(spec: unknown, imports: RateSetSpec[]): Fault[] {
  const set = spec as RateSetSpec
  if (feeOf(set) === 'bad') return [{ check: 'flat', path: 'rules[0].cases[0].charge.flat', message: 'bad' }]
  const needs = set.timeZone.split('/')[1] ?? 'any'
  const federal = imports.find((each) => each.pricingCode === 'AU')
  if (needs === 'any' || !federal || needs.split('-').includes(String(feeOf(federal)))) return []
  return [{ check: 'example', path: 'examples[0]', message: `AU is ${feeOf(federal)}, not ${needs}` }]
}

interface Sketch {
  now?: RateSetSpec
  good?: RateSetSpec
  withdrawn?: boolean
}

async function outcome(sketches: Sketch[]): Promise<{ decision: PublicationDecision; says: Record<string, string> }> {
  const asked: RequestedSet[] = sketches.map(({ now, good, withdrawn }) => {
    const spec = (now ?? good) as RateSetSpec
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    return { name, ...(now && { spec: now }), ...(good && { lastGood: good }), ...(withdrawn && { withdrawn }) }
  })
  const decision = await decide(asked, evaluator(inProcess(rateSetChecks(fits)), systemClock))
  const says = [...decision.verdicts.values()].map(({ name, reason }) => {
    return [name, `${feeOf(decision.contents.spec(name, decision.assignment))} ${reason}`]
  })
  return { decision, says: Object.fromEntries(says) }
}

const both = async (sketches: Sketch[]) => {
  const { says } = await outcome(sketches)
  expect((await outcome([...sketches].reverse())).says).toEqual(says)
  return says
}

test('good sets are published, whatever their order', async () => {
  expect(await both([{ now: version('AU', '1') }, { now: version('AU_VIC', '1', '1') }])).toEqual({
    'au-fy27': '1 Published',
    'au-vic-fy27': '1 Published',
  })
})

test('a bad change keeps the last good content and the others go on', async () => {
  const says = await both([
    { now: version('AU', '1'), good: version('AU', '1') },
    { now: version('AU_VIC', 'bad'), good: version('AU_VIC', '1') },
    { now: version('AU_NSW', '2'), good: version('AU_NSW', '1') },
  ])
  expect(says).toEqual({ 'au-fy27': '1 Published', 'au-nsw-fy27': '2 Published', 'au-vic-fy27': '1 CheckFailed' })
})

test('a first version that fails is not published at all', async () => {
  expect(await both([{ now: version('AU', '1') }, { now: version('AU_VIC', 'bad') }])).toMatchObject({
    'au-vic-fy27': 'none CheckFailed',
  })
})

test('an import that would break an importer is held and names it', async () => {
  const sketches = [
    { now: version('AU', '2'), good: version('AU', '1') },
    { now: version('AU_VIC', '1', '1'), good: version('AU_VIC', '1', '1') },
    { now: version('AU_NSW', '2'), good: version('AU_NSW', '1') },
  ]
  expect(await both(sketches)).toEqual({
    'au-fy27': '1 BreaksImporter',
    'au-nsw-fy27': '2 Published',
    'au-vic-fy27': '1 Published',
  })
  const { decision } = await outcome(sketches)
  expect(decision.verdicts.get('au-fy27')).toMatchObject({ other: 'au-vic-fy27', faults: [{ path: 'examples[0]' }] })
})

test('an import that would break what a deleted importer left published is held', async () => {
  const says = await both([
    { now: version('AU', '2'), good: version('AU', '1') },
    { good: version('AU_VIC', '1', '1') },
  ])
  expect(says).toEqual({ 'au-fy27': '1 BreaksImporter', 'au-vic-fy27': '1 Published' })
})

test('with the fitting importer both go live together', async () => {
  const says = await both([
    { now: version('AU', '2'), good: version('AU', '1') },
    { now: version('AU_VIC', '2', '2'), good: version('AU_VIC', '1', '1') },
  ])
  expect(says).toEqual({ 'au-fy27': '2 Published', 'au-vic-fy27': '2 Published' })
})

test('an importer that needs an import not yet applied keeps its last good content', async () => {
  const says = await both([
    { now: version('AU', '1'), good: version('AU', '1') },
    { now: version('AU_VIC', '2', '2'), good: version('AU_VIC', '1', '1') },
  ])
  expect(says).toEqual({ 'au-fy27': '1 Published', 'au-vic-fy27': '1 CheckFailed' })
})

test('an importer waits for an import that another importer holds back', async () => {
  const says = await both([
    { now: version('AU', '2'), good: version('AU', '1') },
    { now: version('AU_VIC', '2', '2'), good: version('AU_VIC', '1', '1') },
    { now: version('AU_NSW', '1', '1'), good: version('AU_NSW', '1', '1') },
  ])
  expect(says).toEqual({
    'au-fy27': '1 BreaksImporter',
    'au-nsw-fy27': '1 Published',
    'au-vic-fy27': '1 ImportHeld',
  })
})

test('a change that fits only the old import gives way when its last good content fits the new one', async () => {
  const says = await both([
    { now: version('AU', '2'), good: version('AU', '1') },
    { now: version('AU_VIC', '2', '1'), good: version('AU_VIC', '1') },
  ])
  expect(says).toEqual({ 'au-fy27': '2 Published', 'au-vic-fy27': '1 CheckFailed' })
})

test('an importer whose own change is bad does not hold its import', async () => {
  const says = await both([
    { now: version('AU', '2'), good: version('AU', '1') },
    { now: version('AU_VIC', 'bad'), good: version('AU_VIC', '1', '1-2') },
  ])
  expect(says).toEqual({ 'au-fy27': '2 Published', 'au-vic-fy27': '1 CheckFailed' })
})

test('a deleted object stays published', async () => {
  expect(await both([{ good: version('AU', '1') }, { now: version('AU_VIC', '1') }])).toMatchObject({
    'au-fy27': '1 Published',
  })
})

test('a withdrawn set goes, unless a set that stays needs it', async () => {
  const federal = { now: version('AU', '1'), good: version('AU', '1'), withdrawn: true }
  const state = { now: version('AU_VIC', '1'), good: version('AU_VIC', '1') }
  expect(await both([federal, state])).toEqual({ 'au-fy27': '1 BreaksImporter', 'au-vic-fy27': '1 Published' })
  expect(await both([federal, { ...state, withdrawn: true }])).toEqual({
    'au-fy27': 'none Withdrawn',
    'au-vic-fy27': 'none Withdrawn',
  })
})

test('a set without its import is not published and says so', async () => {
  expect(await both([{ now: version('AU_VIC', '1') }])).toEqual({ 'au-vic-fy27': 'none ImportMissing' })
})

test('published content stays when a stricter check refuses it', async () => {
  expect(await both([{ now: version('AU', 'bad'), good: version('AU', 'bad') }])).toEqual({
    'au-fy27': 'bad CheckFailed',
  })
})

test('sets that import each other are not published and do not run for ever', async () => {
  const federal = { ...version('AU', '1'), imports: ['AU_VIC'] }
  expect(await both([{ now: federal }, { now: version('AU_VIC', '1') }])).toEqual({
    'au-fy27': 'none ImportMissing',
    'au-vic-fy27': 'none CheckFailed',
  })
})

test('an object whose name is not its code and year is refused', async () => {
  const decision = await decide(
    [{ name: 'au-fy26', spec: version('AU', '1') }],
    evaluator(inProcess(rateSetChecks(fits)), systemClock),
  )
  expect(decision.verdicts.get('au-fy26')?.faults[0]?.message).toContain('expected au-fy27')
})

test('sets that lost the import of their import come to an end', async () => {
  const deep = (code: string) => ({ ...version(code, '1'), imports: ['AU', 'AU_ACT'] })
  const sketches = [{ good: version('AU_ACT', '1') }, { now: deep('AU_NSW'), good: deep('AU_NSW') }]
  expect(await both(sketches)).toEqual({ 'au-act-fy27': 'none ImportMissing', 'au-nsw-fy27': 'none ImportMissing' })
})

test('a set is judged a few times at most, however many others fail', async () => {
  const codes = [
    'AU',
    ...Array.from({ length: 400 }, (_, at) => `AU_${String.fromCharCode(65 + (at % 26), 65 + at / 26)}`),
  ]
  const asked = codes.map((code) => {
    const spec = version(code, code === 'AU' ? '1' : 'bad')
    return { name: rateSetName(code, spec.financialYear), spec }
  })
  let judged = 0
  const checks = inProcess(rateSetChecks(fits))
  const counting: typeof checks = (checked) => {
    judged += 1
    return checks(checked)
  }
  const asks =
    (evaluate: Evaluate): Evaluate =>
    (name, assignment) => {
      judged += 1
      return evaluate(name, assignment)
    }
  const evaluate = evaluator(counting, systemClock)
  const { verdicts } = await decide(asked, (contents) => asks(evaluate(contents)))
  expect([...verdicts.values()].filter(({ reason }) => reason === 'CheckFailed')).toHaveLength(400)
  expect(judged).toBeLessThan(5 * codes.length)
})
