/** First and last day of a financial year written `2026-2027`, ISO, both inclusive. */
export function coveredDates(financialYear: string): { startDate: string; endDate: string } {
  const [first, last] = financialYear.split('-')
  return { startDate: `${first}-07-01`, endDate: `${last}-06-30` }
}

/** Name of the RateSet object of a pricing code and financial year: `au-vic-fy27`. */
export function rateSetName(pricingCode: string, financialYear: string): string {
  return `${pricingCode.toLowerCase().replaceAll('_', '-')}-fy${financialYear.slice(-2)}`
}
