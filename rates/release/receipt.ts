import { CompactSign } from 'jose'
import { canonicalJson, digestOf } from '../published/canonical.ts'
import type { Engine } from './bundle.ts'
import { ReleaseFault, verifySigned, type ReleaseKey, type SignedClaims } from './signed.ts'
import type { SigningKey } from './write-bundle.ts'

export const RECEIPT_TYPE = 'driveaway-receipt+jws'

/** The claims of a receipt about one priced request. */
export interface ReceiptClaims extends SignedClaims {
  /** `sha256:<hex>` of the canonical JSON of the request. */
  request: string
  /** `sha256:<hex>` of the canonical JSON of the answer without its receipt. */
  answer: string
  release: string
  engine: Engine
}

/** An answer that can carry a receipt: a quote, or a solved target, whose quote carries it. */
export type Receipted = { metadata: object } | { quote: { metadata: object } }

/** A request and its answer, as they were sent and received. */
export interface Exchange {
  request: unknown
  answer: Receipted
}

/** The request has no canonical JSON: a text that is not Unicode, or a number beyond a double. */
export class NotSignable extends Error {
  override name = 'NotSignable'
}

/** Signs what was priced: a compact JWS. Throws NotSignable; any other error is no fault of the request. */
export async function signReceipt(
  { request, answer }: Exchange,
  said: Omit<ReceiptClaims, 'request' | 'answer'>,
  { kid, key }: SigningKey,
): Promise<string> {
  const claims: ReceiptClaims = { ...said, request: digestOfRequest(request), answer: digestOf(answer) }
  return new CompactSign(new TextEncoder().encode(canonicalJson(claims)))
    .setProtectedHeader({ alg: 'EdDSA', typ: RECEIPT_TYPE, kid })
    .sign(key)
}

function digestOfRequest(request: unknown): string {
  try {
    return digestOf(request)
  } catch (cause) {
    throw new NotSignable('the request has no canonical JSON', { cause })
  }
}

/** The answer with its receipt, in the metadata of its quote. */
export function withReceipt<A extends Receipted>(answer: A, receipt: string): A {
  if ('quote' in answer) return { ...answer, quote: withReceipt(answer.quote, receipt) }
  return { ...answer, metadata: { ...answer.metadata, receipt } }
}

/** Separates an answer from its receipt; throws ReleaseFault when it has none. */
export function takeReceipt(answer: Receipted): { receipt: string; answer: Receipted } {
  if ('quote' in answer) {
    const { receipt, answer: quote } = takeReceipt(answer.quote)
    return { receipt, answer: { ...answer, quote: quote as { metadata: object } } }
  }
  const { receipt, ...metadata } = { ...answer.metadata } as { receipt?: unknown }
  if (typeof receipt !== 'string') throw new ReleaseFault('unsigned', 'the quote has no receipt in metadata.receipt')
  return { receipt, answer: { ...answer, metadata } }
}

/**
 * Returns the claims of an answer's receipt; throws ReleaseFault unless one of the keys signed exactly this request and
 * answer.
 */
export async function readReceipt(
  { request, answer: received }: Exchange,
  keys: readonly ReleaseKey[],
): Promise<{ kid: string; claims: ReceiptClaims }> {
  const { receipt, answer } = takeReceipt(received)
  const signed = await verifySigned<ReceiptClaims>(receipt, { what: 'the receipt', typ: RECEIPT_TYPE, keys })
  const { claims } = signed
  if (digestOf(request) !== claims.request)
    throw new ReleaseFault('altered', 'the request is not the one that the receipt was given for')
  if (digestOf(answer) !== claims.answer)
    throw new ReleaseFault('altered', 'the answer is not the one that the receipt was given for')
  return signed
}
