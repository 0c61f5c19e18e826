/** The smallest well-written rate set; further fields of `spec` may follow. */
export const HEAD = `apiVersion: rates.driveaway.dev/v1alpha1
kind: RateSet
metadata: { name: au-vic-fy27 }
spec:
  pricingCode: AU_VIC
  financialYear: 2026-2027
`
