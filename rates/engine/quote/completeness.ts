import { IncompleteQuote, type Quote, type UnpricedComponent } from '../answer.ts'
import type { QuoteRequest } from '../request.ts'
import type { Jurisdiction } from '../snapshot.ts'

/** Throws IncompleteQuote when a component has no price and the request accepts only a complete quote. */
export function checkComplete({ options }: QuoteRequest, { complete, unpriced }: Quote['metadata']): void {
  if (!complete && options?.incomplete === 'reject') throw new IncompleteQuote(unpriced)
}

/** For an empty quote: every charge of the nearest published year, because nothing tells which of them will be due. */
export function allUnpriced(
  { registration }: QuoteRequest,
  jurisdiction: Jurisdiction,
  reason: string,
): UnpricedComponent[] {
  const { range, years } = jurisdiction
  const nearest = registration.startDate < range.start ? range.financialYears[0] : range.financialYears.at(-1)
  const path = '/registration/startDate'
  const components = years[nearest ?? '']?.program.order ?? []
  return components
    .toSorted((a, b) => a.slot - b.slot)
    .map(({ name, rules }) => {
      const pricingCode = rules[0]?.pricingCode ?? jurisdiction.pricingCode
      return { component: name, pricingCode, because: 'no_figure', path, reason }
    })
}
