import { expect, test } from 'vitest'
import type { Quote } from '../../../rates/engine/answer.ts'
import { contractServer } from './contract-server.ts'
import { inNewSouthWales } from './requests.ts'

// docs/contract.md: every money amount is an integer number of cents. An amount in dollars is a hundredth of that.
const { quote } = contractServer()
const CENTS = 4_500_000

const sold = (inputs: object, value = CENTS) =>
  quote(
    inNewSouthWales(
      { condition: 'new', cylinders: 4, tareKg: 1600 },
      { pricingInputs: { dutiable: [{ description: 'Vehicle', value }], ...inputs } },
    ),
  )
const doubtsOf = ({ metadata }: Quote) =>
  metadata.assumptions.filter(({ kind }) => kind === 'doubted').map(({ path }) => path)

test.each(['listPrice', 'marketValue'])('a %s in dollars is used, and doubted', async (field) => {
  const answer = await sold({ [field]: CENTS / 100 })
  expect(doubtsOf(answer)).toEqual([`/pricingInputs/${field}`])
  expect(answer.metadata.warnings.join('\n')).toContain(`pricingInputs.${field} 45000 is less than 1/20 of`)
})

test('a list price of a hundred times the price is doubted, and a market value far above the price, as of a gift, is not', async () => {
  expect(doubtsOf(await sold({ listPrice: CENTS * 100 }))).toEqual(['/pricingInputs/listPrice'])
  expect(doubtsOf(await sold({ marketValue: CENTS }, 100))).toEqual([])
})

test('amounts of the same size are not doubted', async () => {
  expect(doubtsOf(await sold({ listPrice: CENTS * 1.2, marketValue: CENTS * 0.5 }))).toEqual([])
})
