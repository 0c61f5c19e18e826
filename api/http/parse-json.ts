import { parse } from '@hapi/bourne'
import { unreadable } from './body-reader.ts'
import { countColons, countMembers, countNames, repeatedName } from './repeated-names.ts'

/**
 * Parses a JSON body, whose names may have been counted before; an empty body is an empty object. Throws `bad_request` for
 * anything else, for `__proto__`, and for a repeated name in an object.
 */
export function parseJson(text: string, names?: number): unknown {
  if (text === '') return {}
  const value = parsed(text)
  // RFC 8259, 4: readers differ in what they make of a repeated name. Counting is cheap; the name is looked for only
  // when the counts differ.
  const members = countMembers(value)
  if ((names ?? countColons(text)) !== members && countNames(text) !== members) {
    const { name, path } = repeatedName(text)
    throw unreadable(`has the name ${JSON.stringify(name.slice(0, 64))} twice in one object`, undefined, `/body${path}`)
  }
  return value
}

function parsed(text: string): unknown {
  try {
    const value: unknown = mayNamePrototype(text) ? parse(text) : JSON.parse(text)
    // RFC 8259 allows any value; here a body is an object or an array.
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    // The library refuses `__proto__` with the same class of error and no code; when JSON.parse accepts the text, such
    // a key was the reason.
    throw unreadable(isJson(text) ? 'has a key that is not allowed' : 'is not valid JSON', cause)
  }
  throw unreadable('is not a JSON object or array')
}

/** Whether an object may have the name `__proto__`, which the library looks for with an expression over the whole text. */
const mayNamePrototype = (text: string) => text.includes('__proto__') || text.includes('\\u')

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
