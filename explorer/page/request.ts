import type { QuoteRequest } from '#rates/engine/request.ts'
import { FIELDS, type Field } from './fields.ts'

/** What is chosen, by the name of the field, as the form and the address hold it; money in dollars. */
export type Chosen = Readonly<Record<string, string>>

/** What an address holds after `#`. */
export const chosenOf = (hash: string): Chosen => Object.fromEntries(new URLSearchParams(hash.replace(/^#/, '')))

/** The address of what is chosen. */
export const hashOf = (chosen: Chosen): string => `#${new URLSearchParams(chosen).toString()}`

type Node = Record<string, unknown>

/** The body of `POST /v1/quote` for what is chosen: a field that is not chosen is not sent. */
export function requestOf(chosen: Chosen): QuoteRequest {
  const request: Node = {
    showroomCode: 'EXPLORER',
    purchaseDate: chosen['startDate'],
    options: { explain: true },
    taxDatePolicy: { outOfRange: 'error' },
  }
  for (const field of FIELDS) {
    const text = chosen[field.name]
    if (text !== undefined && text !== '') put(request, field.path.slice(1).split('/'), valueOf(field, text))
  }
  return request as unknown as QuoteRequest
}

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

/** Cents of an amount of dollars. */
export const cents = (dollars: string): number => Math.round(Number(dollars) * 100)

/** The lines of `request` with the vehicle at another price, in cents. */
export const atPrice = (request: QuoteRequest, value: number): QuoteRequest => ({
  ...request,
  pricingInputs: {
    ...request.pricingInputs,
    dutiable: request.pricingInputs.dutiable.map((line, index) => (index === 0 ? { ...line, value } : line)),
  },
})
