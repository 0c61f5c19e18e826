import { suv as plain } from '../pricing-server.ts'

type Body = Record<string, unknown>

/** A new petrol SUV in Melbourne on 10 August 2026, with the fields given in place of its own. */
export const suv = (change: Body = {}): Body => plain(change)

/** The SUV without one of its fields. */
export const without = (field: string, change: Body = {}): Body => suv({ ...change, [field]: undefined })

/** The SUV at a price in cents, of whatever type. */
export const paying = (value: unknown): Body =>
  suv({ pricingInputs: { dutiable: [{ description: 'Vehicle', value }] } })

/** Cents of dollars. */
export const priceOf = (dollars: number): number => dollars * 100

/** Registration and purchase on one day. */
export const onDay = (date: string) => ({
  purchaseDate: date,
  registration: { startDate: date, termMonths: 12, type: 'new', postcode: '3000' },
})

/** A registration from a date on, with the postcode left out: for any state. */
export const anywhere = (startDate: string) => ({ startDate, termMonths: 12, type: 'new' })

export const customerWith = (concession: Body): Body => ({
  customer: { customerType: 'consumer', usageType: 'consumer', concession },
})

/** The SUV's vehicle with some facts in place of its own. */
export const vehicle = (change: Body): Body => ({ vehicleGeneric: { ...(suv().vehicleGeneric as Body), ...change } })

/** A new petrol SUV in another state, with those facts of a vehicle. */
function inState(pricingCode: string, showroomCode: string, postcode: string) {
  return (facts: Body, change: Body = {}): Body =>
    suv({
      pricingCode,
      showroomCode,
      registration: { ...onDay('2026-08-10').registration, postcode },
      vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', condition: 'new', seats: 5, co2GPerKm: 150, ...facts },
      ...change,
    })
}

export const inQueensland = inState('AU_QLD', 'BNE01', '4000')
export const inWestern = inState('AU_WA', 'PER01', '6000')
export const inNewSouthWales = inState('AU_NSW', 'SYD01', '2000')
