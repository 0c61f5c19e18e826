import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Explanation, QuoteLine } from '#rates/engine/answer.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { parameters } from './parameters.ts'
import { pricedWith } from './priced.ts'
import { centsOf, isSame, recompute, type ReadStep } from './recompute.ts'
import { NIL, rational } from './rational.ts'
import { requests } from './requests.ts'
import { labelOf, quotable, snapshotOf, withEveryForm } from './sets.ts'

const priced = pricedWith(snapshotOf(withEveryForm))

const each = quotable.map((spec) => [labelOf(spec), spec] as const)

/** The lines of a request, explained; none where it is refused. */
function linesOf(request: QuoteRequest): QuoteLine[] {
  const answer = priced({ ...request, options: { explain: true } })
  return answer ? Object.values(answer.categories).flat() : []
}

/** As a client gets it: nothing but JSON. */
const read = (explain: Explanation | undefined) =>
  JSON.parse(JSON.stringify(explain ?? {})) as Omit<Explanation, 'account'> & { account: ReadStep[] }

test.each(each)('%s: the account of each line leads to its value, step by step', (_name, spec) => {
  const holds = (request: QuoteRequest) => {
    for (const { component, value, explain } of linesOf(request))
      expect({ component, value: centsOf(read(explain).account) }).toEqual({ component, value })
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})

test.each(each)('%s: what the account says is what the other fields of the explanation say', (_name, spec) => {
  const holds = (request: QuoteRequest) => {
    for (const { explain } of linesOf(request)) expectAgreement(read(explain))
  }
  fc.assert(fc.property(requests(spec), holds), parameters)
})

const CONCESSION = ['percentOff', 'amountOff', 'set']

function expectAgreement({ account, unroundedCents, round, term, concession, step, basis }: ReturnType<typeof read>) {
  const of = (kind: string) => account.filter((one) => one.kind === kind)
  const begins = account.find(({ leavesCents }) => leavesCents === unroundedCents)
  if (unroundedCents !== undefined) expect(begins).toBeDefined()
  if (round) expect(of('round')).toContainEqual(expect.objectContaining({ ...round }))
  expect(of('term').map(({ months, factor }) => ({ months, factor }))).toEqual(term ? [term] : [])
  if (concession !== undefined) expect(account.some(({ kind }) => CONCESSION.includes(String(kind)))).toBe(true)
  if (step?.startsWith('charge.table')) expect(account[0]?.kind).toBe('amount')
  for (const { cents } of of('basis')) {
    const [whole] = recompute([{ kind: 'basis', cents: cents! }, { kind: 'round', toCents: '1', mode: 'halfUp' }]).slice(-1)
    expect(isSame(whole!, rational(basis!.amount))).toBe(true)
  }
}

// A property that cannot fail proves nothing: of each kind of step, there is an account that leads elsewhere without it.
test('an account that lacks a step does not lead to the value, whatever the step', () => {
  const everyForm = quotable.filter(({ pricingCode }) => pricingCode === 'AU_ZZ')
  const sample = everyForm.flatMap((spec) => fc.sample(requests(spec), { numRuns: 1000, seed: 1 }))
  const telling = new Set<string>()
  for (const { value, explain } of sample.flatMap(linesOf)) {
    const { account } = read(explain)
    for (const [at, { kind }] of account.entries())
      if (!leadsTo(value, account.toSpliced(at, 1))) telling.add(String(kind))
  }
  expect([...telling].toSorted()).toEqual(KINDS.toSorted())
})

const KINDS =
  'amount basis units above percent risingPercent perPart plus less atLeast atMost round term percentOff amountOff set'.split(' ')

function leadsTo(value: number, account: readonly ReadStep[]): boolean {
  try {
    return isSame(recompute(account).at(-1) ?? NIL, rational(value))
  } catch {
    return false
  }
}
