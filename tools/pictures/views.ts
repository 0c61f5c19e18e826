/** A view to take a picture of: its name, what the address says, and the row whose rule is unfolded. */
export interface View {
  name: string
  chosen: Readonly<Record<string, string>>
  unfold?: string
}

const SUV = {
  ...{ startDate: '2026-11-01', termMonths: '12', value: '90000', bodyType: 'suv', fuelType: 'ICE' },
  ...{ condition: 'new', co2GPerKm: '150', tareKg: '1600' },
}
const MELBOURNE = { ...SUV, pricingCode: 'AU_VIC', postcode: '3000' }

/** The five views, in the order of docs/explorer.md. */
export const VIEWS: readonly View[] = [
  { name: 'price', chosen: { ...MELBOURNE, view: 'price' }, unfold: 'Motor vehicle duty' },
  { name: 'curve', chosen: { ...MELBOURNE, view: 'curve' } },
  { name: 'calendar', chosen: { ...SUV, view: 'calendar', pricingCode: 'AU_ACT', postcode: '2600' } },
  { name: 'map', chosen: { ...MELBOURNE, view: 'map' } },
  { name: 'difference', chosen: { ...MELBOURNE, view: 'difference', component: 'STAMP_DUTY' } },
]
