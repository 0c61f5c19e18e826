import type { QuoteRequest } from '#rates/engine/request.ts'
import { FIELDS, type Field } from './fields.ts'

/** The choice, by field name, as in the form and the address; money in dollars. */
export type Chosen = Readonly<Record<string, string>>

/** The choice in the part of an address after `#`. */
export const chosenOf = (hash: string): Chosen => Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')))

/** The part of an address that holds the choice. */
export const hashOf = (chosen: Chosen): string => `#${new URLSearchParams(chosen).toString()}`

type Node = Record<string, unknown>

/** The body of `POST /v1/quote` for the choice; fields without a value are not sent. */
export function requestOf(chosen: Chosen): QuoteRequest {
  const request: Node = {
    showroomCode: 'EXPLORER',
    purchaseDate: chosen['startDate'],
    options: { explain: true },
    taxDatePolicy: { outOfRange: 'error' },
    // Also where nothing is sent in them, because the engine reads on from them.
    ...{ vehicleGeneric: {}, pricingInputs: { dutiable: [] }, registration: {} },
  }
  for (const field of FIELDS) {
    const text = chosen[field.name]
    if (text !== undefined && text !== '' && isReadable(field, text))
      put(request, field.path.slice(1).split('/'), valueOf(field, text))
  }
  return request as unknown as QuoteRequest
}

/** An address may say anything; what is no number is left out, as an empty field is. */
const isReadable = ({ type }: Field, text: string) =>
  (type !== 'number' && type !== 'money') || Number.isFinite(Number(text))

function put(node: Node, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) node[name] = value
  else put((node[name] ??= {}) as Node, rest, value)
}

function valueOf({ name, type }: Field, text: string): unknown {
  if (name === 'value') return [{ description: 'Vehicle', value: cents(text), kind: 'vehicle' }]
  if (type === 'money') return cents(text)
  if (type === 'number') return Number(text)
  if (type === 'boolean') return text === 'true'
  return text
}

/** Converts dollars to cents. */
export const cents = (dollars: string): number => Math.round(Number(dollars) * 100)

/** The lines of `request` with the vehicle at another price, in cents. */
export const atPrice = (request: QuoteRequest, value: number): QuoteRequest => ({
  ...request,
  pricingInputs: {
    ...request.pricingInputs,
    dutiable: request.pricingInputs.dutiable.map((line, index) => (index === 0 ? { ...line, value } : line)),
  },
})
