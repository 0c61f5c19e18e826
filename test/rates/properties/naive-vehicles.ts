import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'
import { Rejected } from './naive-facts.ts'

/** Throws for a vehicle that the interface calls impossible. */
export function refuseImpossible(request: QuoteRequest): void {
  if (isImpossible(request)) throw new Rejected('INVALID_VEHICLE_INPUT')
}

/** Whether the interface calls the vehicle impossible; each line is one of its sentences. */
export function isImpossible({ vehicleGeneric = {}, registration, purchaseDate, pricingInputs }: QuoteRequest): boolean {
  const { condition = registration.type === 'transfer' ? 'used' : 'new' } = vehicleGeneric
  const { manufactureDate, firstRegisteredDate } = vehicleGeneric
  const sentences = [
    registration.type === 'transfer' && condition === 'new',
    condition === 'used' && bought(purchaseDate, manufactureDate, firstRegisteredDate),
    condition === 'new' && before(manufactureDate, registration.startDate, 10),
    condition === 'new' && before(firstRegisteredDate, registration.startDate, 2),
    condition === 'new' && (vehicleGeneric.year ?? 9999) < Number(registration.startDate.slice(0, 4)) - 10,
    unmade(vehicleGeneric),
    contradicts(vehicleGeneric, registration.startDate),
    withoutEngine(vehicleGeneric),
    withoutFuel(vehicleGeneric),
    registeredAgain(vehicleGeneric, registration),
    crowded(vehicleGeneric),
    [vehicleGeneric.seats, vehicleGeneric.tareKg, vehicleGeneric.kerbMassKg, vehicleGeneric.gvmKg].includes(0),
    [pricingInputs.listPrice, pricingInputs.marketValue].includes(0),
    lighter(vehicleGeneric.kerbMassKg, vehicleGeneric.tareKg),
    lighter(vehicleGeneric.gvmKg, vehicleGeneric.kerbMassKg),
    lighter(vehicleGeneric.gvmKg, vehicleGeneric.tareKg),
  ]
  return sentences.includes(true)
}

/** Petrol, diesel and both kinds of hybrid burn fuel. */
const burns = ({ fuelType = 'BEV' }: Vehicle) => !['BEV', 'FCEV'].includes(fuelType)

const withoutEngine = (vehicle: Vehicle) => burns(vehicle) && vehicle.cylinders === 0 && !vehicle.rotors

const withoutFuel = (vehicle: Vehicle) =>
  burns(vehicle) && (vehicle.engineCapacityCc === 0 || vehicle.co2GPerKm === 0 || vehicle.fuelConsumptionLPer100km === 0)

/** Ten people and more sit in a bus, or in what is called a people mover. */
const crowded = ({ seats = 0, bodyType = '' }: Vehicle) => seats >= 10 && !['bus', 'people_mover'].includes(bodyType)

/** What was never registered has no registration to hand over, and was not on the road before. */
const registeredAgain = (
  { previouslyRegistered, firstRegisteredDate = '9999' }: Vehicle,
  { type, startDate }: QuoteRequest['registration'],
) => previouslyRegistered === false && (type === 'transfer' || firstRegisteredDate < startDate)

/** Nobody buys a used vehicle before it is made, or before it was first on the road. */
const bought = (date: string, ...past: (string | undefined)[]) => past.some((day) => day !== undefined && day > date)

/** Nobody registers a vehicle before it is made. */
const unmade = ({ manufactureDate = '', firstRegisteredDate = '9999' }: Vehicle) =>
  firstRegisteredDate < manufactureDate

const lighter = (laden = Infinity, empty = 0) => laden < empty

/** Whether a date lies more than so many years before another; 29 February counts as 28 February. */
function before(date: string | undefined, other: string, years: number): boolean {
  if (date === undefined) return false
  const limit = `${Number(other.slice(0, 4)) - years}${other.slice(4)}`
  if (date.slice(5) === '02-29' && other.slice(5) === '02-28') return date.slice(0, 4) < limit.slice(0, 4)
  return date < limit
}

function contradicts({ year, manufactureDate, firstRegisteredDate }: Vehicle, startDate: string): boolean {
  if (year === undefined) return false
  const of = (date: string) => Number(date.slice(0, 4))
  const made = manufactureDate !== undefined && Math.abs(of(manufactureDate) - year) > 1
  const registered = firstRegisteredDate !== undefined && year > of(firstRegisteredDate) + 1
  return year < 1885 || year > of(startDate) + 1 || made || registered
}
