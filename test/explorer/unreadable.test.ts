import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { FIELDS } from '#explorer/page/fields.ts'
import { unreadable } from '#explorer/page/unreadable.ts'

interface Schema {
  $ref?: string
  type?: string
  maximum?: number
  pattern?: string
  properties?: Record<string, Schema>
}
const contract = parse(readFileSync('api/pricing/openapi.yaml', 'utf8')) as { components: { schemas: Schema } }
const schemas = contract.components.schemas as Record<string, Schema>
const resolved = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema)
const ofRequest = (path: string) =>
  path
    .slice(1)
    .split('/')
    .reduce((schema, name) => resolved(schema.properties![name]!), schemas['QuoteRequest']!)

const NAMES = { AU_VIC: 'Victoria' }
const VEHICLE = { pricingCode: 'AU_VIC', startDate: '2026-11-01', value: '90000' }
const refused = (more: Record<string, string>, free?: string) => unreadable({ ...VEHICLE, ...more }, NAMES, free)

test('a number has the bounds of the contract', () => {
  for (const { name, path, type, isWhole = false, most } of FIELDS.filter((field) => field.type === 'number')) {
    const schema = ofRequest(path)
    expect([name, type, isWhole, most]).toEqual([name, 'number', schema.type === 'integer', schema.maximum])
  }
})

test.each(['3000', '0800', 'abc', '30000', '0', '300', ' 3000', '３０００'])(
  'the page takes the postcode “%s” where the contract does',
  (postcode) => {
    const isOfContract = new RegExp(ofRequest('/registration/postcode').pattern!).test(postcode)
    expect(refused({ postcode })?.path).toBe(isOfContract ? undefined : '/registration/postcode')
  },
)

test.each([
  ['80000', true],
  ['80000.5', true],
  ['80000.50', true],
  ['.05', true],
  ['80000.500', true],
  ['80000.005', false],
  ['80000.', false],
  ['1e5', false],
])('the price “%s” is of whole cents: %j', (value, isTaken) => {
  expect(refused({ value }) === undefined).toBe(isTaken)
})

test('the field of a curve may be empty, and nothing else that cannot be read', () => {
  expect(refused({ value: '' }, 'value')).toBeUndefined()
  expect(refused({ value: '' })?.path).toBe('/pricingInputs/dutiable')
  expect(refused({ value: '80,000' }, 'value')?.path).toBe('/pricingInputs/dutiable')
})
