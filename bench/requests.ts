import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'

type Registration = Partial<QuoteRequest['registration']>

/**
 * A request with every fact that a Victorian line depends on: nothing is assumed, so each engine prices the same, and the
 * time is not that of finding out which assumptions matter (bench/left-out.ts). `dollars` is the price.
 */
export function victorian(dollars: number, vehicle: Vehicle = {}, registration: Registration = {}): QuoteRequest {
  const condition = registration.type === 'transfer' ? 'used' : 'new'
  const paid = condition === 'used' ? { lctPreviouslyPaid: 0 } : {}
  const used: Vehicle = condition === 'used' ? { manufactureDate: '2025-03-15', previouslyRegistered: true } : {}
  return {
    pricingCode: 'AU_VIC',
    showroomCode: 'MEL01',
    purchaseDate: '2026-11-01',
    vehicleGeneric: { ...always, condition, previouslyRegistered: false, ...used, ...vehicle },
    pricingInputs: {
      dutiable: [
        { description: 'Vehicle', value: Math.round(dollars * 100) - 150_000, kind: 'vehicle' },
        { description: 'Dealer delivery', value: 150_000, kind: 'delivery' },
      ],
      marketValue: Math.round(dollars * 100),
      gst: 'taxable',
      ...paid,
    },
    registration: { startDate: '2026-11-01', termMonths: 12, type: 'new', postcode: '3000', ...registration },
    customer: { customerType: 'consumer', usageType: 'consumer' },
    taxDatePolicy: { outOfRange: 'error' },
  }
}

const always: Vehicle = {
  bodyType: 'suv',
  fuelType: 'ICE',
  cylinders: 4,
  engineCapacityCc: 2000,
  tareKg: 1600,
  kerbMassKg: 1650,
  gvmKg: 2200,
  manufactureDate: '2026-03-01',
  demonstrator: false,
  co2GPerKm: 150,
  fuelConsumptionLPer100km: 8,
  seats: 5,
}

/**
 * The measured request: a new petrol SUV above the luxury car tax threshold, which has an amount on every Victorian
 * line.
 */
export const measured = victorian(95_000)

const ute: Vehicle = { bodyType: 'ute', tareKg: 2100, gvmKg: 3200, kerbMassKg: 2200 }
const prices = [
  1_500, 60_000, 80_809, 80_809.02, 91_661, 91_661.02, 95_571.31, 95_571.32, 134_032.84, 134_032.85, 250_000,
]

/** Requests on both sides of each threshold of the duty and the luxury car tax, for which all engines must agree. */
export const agreed: readonly QuoteRequest[] = [
  measured,
  ...prices.map((price) => victorian(price)),
  ...prices.map((price) => victorian(price, { fuelType: 'BEV', co2GPerKm: 0, fuelConsumptionLPer100km: 0 })),
  ...prices.map((price) => victorian(price, { bodyType: 'sedan', co2GPerKm: 120, fuelConsumptionLPer100km: 3.5 })),
  ...prices.map((price) => victorian(price, ute)),
  ...prices.map((price) => victorian(price, { ...ute, kerbMassKg: 2600 })),
  ...prices.map((price) => victorian(price, {}, { type: 'transfer' })),
  ...prices.map((price) => victorian(price, { manufactureDate: '2022-10-31' }, { type: 'transfer' })),
  ...prices.map((price) => victorian(price, ute, { type: 'transfer' })),
  ...['3000', '3024', '3350'].flatMap((postcode) =>
    [3, 6, 12].flatMap((termMonths) => [
      victorian(45_000, {}, { postcode, termMonths }),
      victorian(62_000, ute, { postcode, termMonths }),
    ]),
  ),
]
