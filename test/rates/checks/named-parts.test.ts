import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { withNamedParts } from '#rates/checks/named-parts.ts'

const range = { type: 'object', properties: { min: { type: 'string' } }, additionalProperties: false }
const outer = { type: 'object', properties: { seats: range, type: { type: 'string', enum: ['object'] } } }
const schema = { type: 'object', properties: { first: outer, rest: { type: 'array', items: outer }, once: range } }

test('an object schema that stands more than once stands once, inside another one too', () => {
  const named = withNamedParts(schema)
  expect(JSON.stringify(named).match(/additionalProperties/g)).toHaveLength(1)
  expect(Object.keys(named['$defs'] as object)).toHaveLength(2)
})

test('a value is refused for the same places and reasons', () => {
  const ajv = new Ajv({ allErrors: true, inlineRefs: false })
  const [plain, named] = [ajv.compile(schema), ajv.compile(withNamedParts(schema))]
  const faults = (validate: typeof plain, value: unknown) => {
    validate(value)
    return validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  for (const value of [
    { first: { seats: { min: '1' }, type: 'object' }, rest: [], once: {} },
    { first: { seats: { max: '1' } }, rest: [{ seats: { min: 1 } }, { type: 'x' }], once: { min: '1', max: '2' } },
  ])
    expect(faults(named, value)).toEqual(faults(plain, value))
  expect(faults(named, { first: { seats: { max: '1' } } })).toEqual([
    '/first/seats must NOT have additional properties',
  ])
})
