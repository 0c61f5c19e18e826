/** Name of the RateSet object of a pricing code and financial year: `au-vic-fy27`. */
export function rateSetName(pricingCode: string, financialYear: string): string {
  return `${pricingCode.toLowerCase().replaceAll('_', '-')}-fy${financialYear.slice(-2)}`
}
