import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { keepQuoting, lineOf, quoteOf, tokenOf } from './quotes.ts'
import { applyText, rateSet, readSet, untilCondition } from './rate-sets.ts'
import { startStack, type Stack } from './stack.ts'

const file = 'au-vic/fy27.yaml'
let stack: Stack
let token: string

beforeAll(async () => {
  stack = await startStack()
  token = await tokenOf(stack, 'dealer')
})
afterAll(() => stack?.stop())

test('a changed figure is in the quotes after kubectl apply, no quote fails or mixes on the way, and it can be put back', async () => {
  const before = await quoteOf(stack, token)
  expect(lineOf(before, 'PLATES')).toBe(4420)
  const quoting = keepQuoting(stack, token)
  await applyText(stack, rateSet(file, [/44\.20/g, '45.20']))
  const applied = performance.now()
  await waitFor('the new figure', () => quoting.answers.some((answer) => lineOf(answer, 'PLATES') === 4520))
  await applyText(stack, rateSet(file))
  await waitFor('the old figure again', () => lineOf(quoting.answers.at(-1)!, 'PLATES') === 4420)
  const answers = await quoting.stop()

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  // Two releases, each with its own figure and never the other's.
  const figures = new Map<string, Set<number>>()
  for (const answer of answers) {
    const { release } = answer.body.metadata
    figures.set(release, (figures.get(release) ?? new Set()).add(answer.body.totals.driveAway))
  }
  expect(figures.size).toBe(2)
  expect([...figures.values()].map((totals) => totals.size)).toEqual([1, 1])
  const first = answers.find((answer) => lineOf(answer, 'PLATES') === 4520)!
  // A bound with room for a noisy machine; `kubectl apply` to served is timed elsewhere.
  expect(first.at - applied).toBeLessThan(10_000)
})

test('kubectl get ratesets shows the digest, and that every API process has loaded it', async () => {
  const loaded = await untilCondition(stack, 'au-vic-fy27', 'Loaded', 'True')
  expect(loaded.message).toBe('1/1')
  const { status } = await readSet(stack, 'au-vic-fy27')
  const table = await stack.kubectl(['get', 'ratesets'])
  const row = table.split('\n').find((line) => line.startsWith('au-vic-fy27'))
  expect(row).toMatch(/2026-2027 +True +True +[0-9a-f]{12} +60\/60/)
  expect(status?.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
})

const faults: [what: string, from: string | RegExp, to: string, named: RegExp][] = [
  ['a band that falls', 'upTo: "150000"', 'upTo: "90000"', /bands\[1\]\.upTo/],
  ['a reference to nothing', 'AU/LCT_THRESHOLD', 'AU/LCT_TRESHOLD', /LCT_TRESHOLD/],
  ['a figure that its worked example refutes', 'flat: "44.20"', 'flat: "99.20"', /examples\[\d+\]/],
]
test.each(faults)('%s is refused with its path, and the old price stays', async (_what, from, to, named) => {
  const before = await quoteOf(stack, token)
  const refusal = await applyText(stack, rateSet(file, [from, to])).then(
    () => undefined,
    (error: Error) => error.message,
  )
  // What CEL can see the API server refuses; the rest is the operator's.
  if (refusal === undefined) {
    const ready = await untilCondition(stack, 'au-vic-fy27', 'Ready', 'False')
    expect(ready.message).toMatch(named)
  } else expect(refusal).toMatch(/band edges that rise/)
  const other = await untilCondition(stack, 'au-nsw-fy27', 'Ready', 'True')
  expect(other.observedGeneration).toBeGreaterThan(0)
  expect((await quoteOf(stack, token)).body).toEqual(before.body)
  await applyText(stack, rateSet(file))
  await untilCondition(stack, 'au-vic-fy27', 'Ready', 'True')
})
