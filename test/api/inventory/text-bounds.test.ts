import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countText } from '../../../api/inventory/text-bounds.ts'

/** Values of a value, itself among them, how deep its objects and lists are within one another, and its members. */
function sizeOf(value: unknown): { values: number; levels: number; names: number } {
  if (typeof value !== 'object' || value === null) return { values: 1, levels: 0, names: 0 }
  const inner = Object.values(value).map(sizeOf)
  const own = Array.isArray(value) ? 0 : inner.length
  return {
    values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
    names: own + inner.reduce((sum, { names }) => sum + names, 0),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  }
}

const MANY = { values: 1e9, levels: 1e9 }
const fault = (text: string, most: object) => countText(Buffer.from(text), { ...MANY, ...most }).fault

test('any text of JSON has as many values, levels and names as what it is read as', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t \n'), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space)
      const { values, levels, names } = sizeOf(JSON.parse(text))
      expect(countText(Buffer.from(text), { values, levels })).toEqual({ names })
      expect(fault(text, { values: values - 1 })).toBe(`has more than ${values - 1} values`)
      if (levels > 0) expect(fault(text, { levels: levels - 1 })).toBe(`is nested in more than ${levels - 1} levels`)
    }),
  )
})

test('bytes that are no JSON have an answer too', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      countText(bytes, { values: 3, levels: 2 })
    }),
  )
  for (const text of ['"', '"\\', '[', '{"a', ']]]]', '']) expect(fault(text, { values: 9, levels: 9 })).toBeUndefined()
})
