import fc from 'fast-check'
import { test } from 'vitest'
import type { Band } from '#rates/engine/grammar/charge.ts'
import type { Basis, RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import type { LineKind } from '#rates/engine/grammar/facts.ts'
import type { Case } from '#rates/engine/grammar/rule.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { request as requestOf, rule, set, snapshotOf } from '../engine/small-set.ts'
import { expectExhaustive } from './every-value.ts'
import { stoppingAfter } from './parameters.ts'

/**
 * Laws of nobody, small enough to try every cent: rates that fall at an edge, duty that ends at one, a tax in the basis
 * of the duty that falls itself, amounts from which the solved line is taken off.
 */

const dollars = (most: number) => fc.integer({ min: 0, max: most * 100 }).map((cents) => (cents / 100).toFixed(2))
const percent = fc.integer({ min: 0, max: 60 }).map(String)

const form: fc.Arbitrary<Band> = fc.oneof(
  dollars(20).map((flat) => ({ flat })),
  percent.map((each) => ({ whole: { percent: each } })),
  fc.record({ rate: dollars(1), per: fc.constantFrom('0.50', '2', '7') }).map((whole) => ({ whole })),
  fc.record({ plus: dollars(9), percent }).map((excess) => ({ excess })),
)

const edges = (most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 40 * 100 }), { maxLength: most })
    .map((list) => list.toSorted((a, b) => a - b).map((cents) => (cents / 100).toFixed(2)))

const bands: fc.Arbitrary<Band[]> = fc
  .tuple(edges(3), fc.array(form, { minLength: 4, maxLength: 4 }))
  .map(([upTo, forms]) => [...upTo.map((edge, at) => ({ ...forms[at], upTo: edge })), forms[3]!])

const charge = bands.map((each) => ({ charge: { bands: each } }))
const first: fc.Arbitrary<Case[]> = fc
  .tuple(
    edges(1),
    fc.boolean(),
    fc.constantFrom<Partial<Case>>({ unpriced: 'Not known.' }, { exempt: { reason: 'No.', line: 'omit' } }),
  )
  .map(([[edge], upTo, outcome]) =>
    edge === undefined ? [] : [{ when: { basis: upTo ? { upTo: edge } : { above: edge } }, ...outcome }],
  )
const cases: fc.Arbitrary<Case[]> = fc.tuple(first, charge).map(([head, last]) => [...head, last])

const paid: fc.Arbitrary<Basis['cases'][number]> = fc.constantFrom<Basis['cases'][number]>(
  { sum: ['dutiable', 'line:TAX'] },
  { greatest: ['basis:WITH_TAX', 'marketValue'] },
  { when: { present: ['listPrice'] }, sum: ['listPrice'], minus: ['kind:delivery'] },
  { sum: ['dutiable', 'line:TAX'], minus: ['kind:delivery', 'kind:accessory'] },
)

const spec: fc.Arbitrary<RateSetSpec> = fc
  .record({ paid, tax: cases, duty: cases, off: dollars(20) })
  .map(({ paid: one, tax, duty, off }) =>
    set({
      bases: [
        { name: 'WITH_TAX', cases: [{ sum: ['dutiable', 'line:TAX'] }] },
        { name: 'PAID', cases: [one] },
      ],
      rules: [
        rule({ component: 'TAX', name: 'Tax', basis: 'PRICE', cases: tax }),
        rule({ component: 'DUTY', basis: 'PAID', cases: duty }),
      ],
      concessions: [
        {
          type: 'OFF',
          label: 'Off',
          description: 'Off the amount that duty is on.',
          evidence: 'official',
          sources: ['act'],
          adjustments: [{ basis: 'PAID', amountOff: off }],
        },
      ],
    }),
  )

const cents = fc.integer({ min: 1, max: 50 * 100 })
const lines = fc.array(
  fc
    .record({
      description: fc.constant('line'),
      value: fc.integer({ min: -500, max: 1_000 }),
      kind: fc.constantFrom<LineKind[]>('vehicle', 'delivery', 'accessory', 'discount'),
    })
    .map((line) => (line.kind === 'discount' ? { ...line, value: -Math.abs(line.value) } : line)),
  { minLength: 1, maxLength: 3 },
)
const asks = fc
  .record({
    dutiable: lines,
    money: fc.record({ listPrice: cents, marketValue: cents }, { requiredKeys: [] }),
    claimed: fc.boolean(),
  })
  .map(({ dutiable, money, claimed }): QuoteRequest => {
    const customer = { concession: { hasConcession: claimed, ...(claimed ? { type: 'OFF' } : {}) } }
    return requestOf(0, { pricingInputs: { dutiable, ...money }, customer })
  })

test('where charges fall, to the cent, the answer is that of trying every value', () => {
  const holds = (law: RateSetSpec, request: QuoteRequest, target: number) => {
    const index = target % request.pricingInputs.dutiable.length
    expectExhaustive({ request, index, increment: 1 }, target, snapshotOf(law))
  }
  const targets = fc.integer({ min: 1, max: 60 * 100 })
  fc.assert(fc.property(spec, asks, targets, holds), stoppingAfter(5_000))
})
