import type { PricingCodeOfFault, PricingFault } from '../engine/answer.ts'

/** The fault of one field; `path` is a JSON pointer that starts with `/body` or `/query`. */
export interface FieldError {
  path: string
  message: string
  errorCode: string
  /** The component without a price, when that is the fault. */
  component?: string
}

/** The body of an answer that refuses a request. */
export interface Refusal<Code extends string = PricingCodeOfFault> {
  code: Code
  message: string
  errors?: readonly FieldError[]
}

/**
 * Most characters of one text in a refusal: enough for all of our texts, too few to send back what a caller made up.
 */
const LONGEST_TEXT = 500

/** The refusal for a fault; `root` is put before the path of each field, e.g. `/body`. */
export function refusalOf({ code, message, parts }: PricingFault, root = ''): Refusal {
  if (parts.length === 0) return { code, message }
  return { code, message, errors: parts.map((part) => ({ ...part, path: `${root}${part.path}`, errorCode: code })) }
}

/** The refusal with each text clipped to 500 characters, so that what a caller sent comes back only in part. */
export function clipRefusal<Code extends string>({ code, message, errors }: Refusal<Code>): Refusal<Code> {
  if (!errors) return { code, message: clipped(message) }
  return {
    code,
    message: clipped(message),
    errors: errors.map((each) => ({ ...each, path: clipped(each.path), message: clipped(each.message) })),
  }
}

const clipped = (text: string) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text)
