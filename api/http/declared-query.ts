import type { Context } from 'koa'
import { nearest } from '#rates/checks/nearest.ts'
import type { FieldError } from '../errors.ts'
import { unreadable } from './body-reader.ts'
import { escapePointer } from './json-pointer.ts'
import { fieldFault } from './schema-faults.ts'

type Query = Record<string, string | undefined>

/**
 * The query of a call; throws `bad_request` for a parameter that the operation does not declare. The answers of these
 * operations have no warnings, and without `date`, misspelt, the answer would be that of another day. An operation
 * without parameters ignores its query.
 */
export function declaredQuery(ctx: Context, names: readonly string[]): Query {
  const query: Query = {}
  if (names.length === 0 || ctx.querystring === '') return query
  rejectUndecodable(ctx.querystring)
  const unknown: FieldError[] = []
  for (const name of Object.keys(ctx.query)) {
    if (names.includes(name)) query[name] = ctx.query[name] as string
    // "?" and "?a=1&" have an empty name.
    else if (name !== '') unknown.push(unknownParameter(name, names))
  }
  if (unknown.length > 0) throw fieldFault(unknown)
  return query
}

function unknownParameter(name: string, names: readonly string[]): FieldError {
  const likely = nearest(name, names)
  const hint = likely === undefined ? `; they are ${names.join(', ')}` : ` (did you mean ${likely}?)`
  return {
    path: `/query/${escapePointer(name)}`,
    message: `is not a parameter of this operation${hint}`,
    errorCode: 'additionalProperties.openapi.validation',
  }
}

/** Koa decodes invalid UTF-8 to replacement characters, which would make two different queries equal. */
function rejectUndecodable(querystring: string): void {
  if (!querystring.includes('%')) return
  try {
    decodeURIComponent(querystring)
  } catch (cause) {
    throw unreadable('is not UTF-8', cause, '/query')
  }
}
