import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { inNewSouthWales } from './requests.ts'

// Australian Taxation Office, "GST and motor vehicles", disposing of a motor vehicle: of a taxable sale of a used vehicle
// the GST is one-eleventh of the sale price; a private sale bears none.
const { quote } = contractServer()
const ELEVENTH_OF_44_000 = 400_000
const ELEVENTH_OF_1_100 = 10_000
const GST = '/pricingInputs/gst'

const car = (condition: string, inputs: object = {}) => {
  const facts = { condition, cylinders: 4, tareKg: 1600, manufactureDate: '2024-05-01' }
  const dutiable = [{ description: 'Vehicle', value: 4_400_000 }]
  const additional = [{ description: 'Warranty', value: 110_000, kind: 'extended_warranty' }]
  return inNewSouthWales(facts, { pricingInputs: { dutiable, additional, lctPreviouslyPaid: 0, ...inputs } })
}
const taxOf = ({ totals: { tax } }: Quote) => [tax.dutiable, tax.additional]
const said = ({ metadata }: Quote) => metadata.assumptions.filter(({ path }) => path === GST)

test('GST is 1/11 of a dutiable line, new or used', async () => {
  for (const condition of ['new', 'used']) {
    const answer = await quote(car(condition))
    expect(taxOf(answer)).toEqual([ELEVENTH_OF_44_000, ELEVENTH_OF_1_100])
    expect(answer.categories.dutiable[0]?.tax).toEqual({ type: 'GST', rate: '10', amount: ELEVENTH_OF_44_000 })
  }
})

test('an assumption says so for used vehicles, and only where the request does not', async () => {
  expect(said(await quote(car('used')))).toEqual([
    expect.objectContaining({ kind: 'assumed', component: 'DUTIABLE_LINE', assumed: 'taxable' }),
  ])
  expect(said(await quote(car('used', { gst: 'taxable' })))).toEqual([])
  expect(said(await quote(car('new')))).toEqual([])
})

test('pricingInputs.gst "none" for a non-taxable sale: no GST in the lines of the request, and the same price', async () => {
  for (const condition of ['new', 'used']) {
    const [none, taxable] = [await quote(car(condition, { gst: 'none' })), await quote(car(condition))]
    expect(taxOf(none)).toEqual([0, 0])
    expect(none.categories.dutiable[0]?.tax).toEqual({ type: 'NONE', rate: '0', amount: 0 })
    expect(none.totals.driveAway).toBe(taxable.totals.driveAway)
    expect(none.totals.tax.onRoad).toBe(taxable.totals.tax.onRoad)
  }
})

test('a new vehicle that is sold without GST is priced as asked, with a warning; other sales need none', async () => {
  const { metadata } = await quote(car('new', { gst: 'none' }))
  expect(metadata.warnings).toContainEqual(expect.stringContaining('gst is none for a new vehicle'))
  expect(metadata.assumptions).toContainEqual(expect.objectContaining({ kind: 'doubted', path: GST, assumed: null }))
  expect(metadata.assumptions.filter(({ kind, path }) => kind === 'assumed' && path === GST)).toEqual([])
  for (const [condition, gst] of [
    ['new', 'taxable'],
    ['used', 'none'],
  ] as const) {
    expect(said(await quote(car(condition, { gst })))).toEqual([])
  }
})
