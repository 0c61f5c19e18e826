import { Counter, type Registry } from 'prom-client'
import type { UnpricedComponent } from '#rates/engine/answer.ts'

/** Counts the components without a price in one quote, whether answered or refused as incomplete. */
export type CountUnpriced = (unpriced: readonly UnpricedComponent[]) => void

/** Counts incomplete quotes by component, which shows an installation the figures or facts that its clients lack. */
export function countUnpriced(registry: Registry): CountUnpriced {
  const counter = new Counter({
    name: 'driveaway_incomplete_quotes_total',
    help: 'Quotes without a price for a component; a quote that lacks several components counts once for each.',
    labelNames: ['pricing_code', 'component', 'because'] as const,
    registers: [registry],
  })
  return (unpriced) => {
    for (const { pricingCode, component, because } of unpriced) {
      counter.inc({ pricing_code: pricingCode, component, because })
    }
  }
}
