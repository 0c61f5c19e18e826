import { expect, test } from 'vitest'
import { createContentModerator } from '../../../../worker/moderation/content/create-content-moderator.ts'

const { check } = createContentModerator()

test.each([
  ...['engine_number', 'engine_no', 'stock_number', 'stock_no', 'rego', 'rego_no', 'registration_number', 'vin_number'],
  ...[
    'chassis_number',
    'chassis_no',
    'dealer_stock_number',
    'barcode',
    'uuid',
    'item_uuid',
    'nvic',
    'dealer_abn',
    'acn',
  ],
])('%s is a code, whoever named the field', (name) => {
  const vehicle = { source_id: 'a', [name]: '4D56FUK 0412345678', details: { [name]: '61 807 465 690' } }
  expect(check({ vehicle })).toEqual([])
  expect(check({ vehicle: { ...vehicle, [name]: '<b>x</b>' } })).toMatchObject([{ code: 'MARKUP' }])
})

test.each([
  ...['phone_number', 'phone_no', 'contact_no', 'contact_number', 'number', 'dealer_number', 'no', 'mobile_no'],
  ...['stock_number_note', 'rego_notes', 'engine', 'stock', 'engine_number_text', 'barcode_label', 'abn_text'],
])('%s is prose, which people read', (name) => {
  expect(check({ vehicle: { source_id: 'a', [name]: '0491 570 156' } })).toMatchObject([{ code: 'CONTACT_DETAILS' }])
})
