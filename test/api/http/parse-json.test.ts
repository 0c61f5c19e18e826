import { expect, test } from 'vitest'
import { parseJson } from '../../../api/http/parse-json.ts'

test('colons in texts and names are no further names', () => {
  for (const text of [
    '{"a":"12:30","b":"x"}',
    '{"a:b":1,"c":[":",{"d":"::"}]}',
    '{"a":"\\":","b":"\\\\"}',
    '["a:b"]',
  ]) {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  }
})

test('a name that an object has twice is refused, whatever its texts contain', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":"12:30","a":"x"}',
    '{"b":[{"c:d":1,"c:d":2}]}',
    '{"a":{"a":1},"b":":","b":1}',
  ]) {
    expect(() => parseJson(text)).toThrow('twice in one object')
  }
})

test('the name __proto__ is refused however it is written, and a text may have it', () => {
  for (const name of ['__proto__', '\\u005f_proto__', '_\\u005F\\u0070roto__', '__prot\\u006f__']) {
    expect(() => parseJson(`[{"a":{"${name}":1}}]`)).toThrow('has a key that is not allowed')
  }
  expect(parseJson('{"a":"__proto__","b":"\\u005f"}')).toEqual({ a: '__proto__', b: '_' })
})
