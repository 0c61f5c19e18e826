import type { QuoteRequest, Vehicle } from '#rates/engine/request.ts'
import { Rejected } from './naive-facts.ts'

/** Throws for a vehicle that the interface calls impossible; each line is one of its sentences. */
export function refuseImpossible({ vehicleGeneric = {}, registration }: QuoteRequest): void {
  const { condition = registration.type === 'transfer' ? 'used' : 'new' } = vehicleGeneric
  const sentences = [
    condition === 'new' && before(vehicleGeneric.manufactureDate, registration.startDate, 10),
    condition === 'new' && before(vehicleGeneric.firstRegisteredDate, registration.startDate, 2),
    condition === 'new' && (vehicleGeneric.year ?? 9999) < Number(registration.startDate.slice(0, 4)) - 10,
    contradicts(vehicleGeneric, registration.startDate),
    vehicleGeneric.fuelType === 'ICE' && vehicleGeneric.cylinders === 0 && !vehicleGeneric.rotors,
    lighter(vehicleGeneric.kerbMassKg, vehicleGeneric.tareKg),
    lighter(vehicleGeneric.gvmKg, vehicleGeneric.kerbMassKg),
    lighter(vehicleGeneric.gvmKg, vehicleGeneric.tareKg),
  ]
  if (sentences.includes(true)) throw new Rejected('INVALID_VEHICLE_INPUT')
}

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
