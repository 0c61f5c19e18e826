import type { PricingCodeOfFault, PricingFault } from '../engine/answer.ts'

/** One field's fault: `path` is a JSON pointer from `/body` or `/query`. */
export interface FieldError {
  path: string
  message: string
  errorCode: string
  /** The component that has no price, where the fault is that. */
  component?: string
}

/** The body of an answer that refuses a request. */
export interface Refusal<Code extends string = PricingCodeOfFault> {
  code: Code
  message: string
  errors?: readonly FieldError[]
}

/** Characters of one text of a refusal: enough for each of ours, too few to send back what a caller made up. */
const LONGEST_TEXT = 500

/** The refusal that a fault comes to; `root` is put before the path of each field, `/body` for one. */
export function refusalOf({ code, message, parts }: PricingFault, root = ''): Refusal {
  if (parts.length === 0) return { code, message }
  return { code, message, errors: parts.map((part) => ({ ...part, path: `${root}${part.path}`, errorCode: code })) }
}

/** The same with texts of at most 500 characters: what a caller sent comes back only in part. */
export function clipRefusal<Code extends string>({ code, message, errors }: Refusal<Code>): Refusal<Code> {
  if (!errors) return { code, message: clipped(message) }
  return {
    code,
    message: clipped(message),
    errors: errors.map((each) => ({ ...each, path: clipped(each.path), message: clipped(each.message) })),
  }
}

const clipped = (text: string) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text)
