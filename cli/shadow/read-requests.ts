import { readFileSync } from 'node:fs'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { LoggedRequest } from '#rates/shadow/shadow.ts'

export interface ReadRequests {
  logged: LoggedRequest[]
  /** Lines that are no request, from 1; the last line of a log may be half written. */
  unreadable: { line: number; why: string }[]
}

/**
 * The requests of a file: a body of `POST /v1/quote`, a list of them, or an entry of a decision log on each line; or one
 * JSON list of these. `-` reads the standard input.
 */
export function readRequests(file: string): ReadRequests {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8')
  const whole = text.trimStart().startsWith('[') ? valueOf(text) : undefined
  const entries = Array.isArray(whole)
    ? whole.map((value: unknown, at) => ({ line: at + 1, value }))
    : text.split('\n').flatMap((each, at) => (each.trim() === '' ? [] : [{ line: at + 1, value: valueOf(each) }]))
  const read: ReadRequests = { logged: [], unreadable: [] }
  for (const { line, value } of entries) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const request = requestIn(each)
      if (request) read.logged.push({ line, request })
      else read.unreadable.push({ line, why: 'is not the body of a quote' })
    }
  }
  return read
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A body, or the body in an entry of a decision log; undefined where it lacks what every request has. */
function requestIn(value: unknown): QuoteRequest | undefined {
  const entry = (value ?? {}) as { request?: unknown }
  const request = (entry.request ?? entry) as Partial<QuoteRequest>
  const { pricingCode, pricingInputs, purchaseDate, registration } = request
  const isWhole =
    [pricingCode, purchaseDate, registration?.startDate].every((text) => typeof text === 'string') &&
    Array.isArray(pricingInputs?.dutiable)
  return isWhole ? (request as QuoteRequest) : undefined
}
