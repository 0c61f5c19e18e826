import { PricingFault } from '../answer.ts'
import { addYears, dayOf, isDate } from '../dates.ts'
import {
  BODIES_OF_MANY_SEATS,
  BURNING_FUELS,
  MASS_FACTS,
  MOST_SEATS,
  NEW_FOR_YEARS,
  REGISTERED_NEW_FOR_YEARS,
} from '../compile/possible.ts'
import { conditionOf, type QuoteRequest, type Vehicle } from '../request.ts'

/** The year of the first motor car. */
const FIRST_YEAR = 1885

function impossible(field: string, message: string): never {
  throw new PricingFault('INVALID_VEHICLE_INPUT', `/vehicleGeneric/${field}`, message)
}

/**
 * Throws INVALID_VEHICLE_INPUT for an impossible vehicle, for contradicting facts, and for a transfer of a new vehicle.
 */
export function checkVehicle(request: QuoteRequest): void {
  const { vehicleGeneric: vehicle, registration } = request
  checkPrices(request)
  checkTaxPaid(request)
  if (!vehicle) return
  const isNew = conditionOf(vehicle.condition, registration.type) === 'new'
  checkDates(request, vehicle, isNew)
  checkYear(vehicle, registration.startDate)
  if (registration.type === 'transfer' && vehicle.condition === 'new') {
    impossible('condition', 'A registration of type transfer needs a used vehicle, but condition is new.')
  }
  if (isNew) checkNew(vehicle, registration.startDate)
  if (vehicle.previouslyRegistered === false) checkUnregistered(vehicle, registration)
  checkEngine(vehicle)
  checkSeats(vehicle)
  checkMasses(vehicle)
}

function checkDates({ registration, purchaseDate }: QuoteRequest, vehicle: Vehicle, isNew: boolean): void {
  const { manufactureDate: made, firstRegisteredDate: registered } = vehicle
  // A new vehicle can be bought before it is made; a used one cannot.
  const latest = !isNew && purchaseDate < registration.startDate ? purchaseDate : registration.startDate
  const event = latest === registration.startDate ? 'registration.startDate' : 'purchaseDate'
  checkDate('manufactureDate', made, latest, event)
  checkDate('firstRegisteredDate', registered, latest, event)
  if (made && registered && registered < made) {
    impossible('firstRegisteredDate', `firstRegisteredDate ${registered} is before manufactureDate ${made}.`)
  }
}

function checkDate(field: string, date: string | undefined, latest: string, event: string): void {
  if (date === undefined) return
  if (!isDate(date)) impossible(field, `${field} ${date} is not a day of the calendar.`)
  if (date > latest) impossible(field, `${field} ${date} is after ${event} ${latest}.`)
  if (Number(date.slice(0, 4)) < FIRST_YEAR) impossible(field, `${field} ${date} is before the first motor car.`)
}

/** Whether a vehicle that was checked as new could be used: it was made and registered before the purchase. */
export function canBeUsed({ vehicleGeneric: vehicle, registration, purchaseDate }: QuoteRequest): boolean {
  const latest = purchaseDate < registration.startDate ? purchaseDate : registration.startDate
  const { manufactureDate: made = '', firstRegisteredDate: registered = '' } = vehicle ?? {}
  return made <= latest && registered <= latest
}

/**
 * Checks the model year: next year's model may be made and sold this year, and this year's may be made next year, but
 * the difference is never more than a year.
 */
function checkYear({ year, manufactureDate, firstRegisteredDate }: Vehicle, startDate: string): void {
  if (year === undefined) return
  if (year < FIRST_YEAR) impossible('year', `year ${year} is before the first motor car.`)
  if (year > yearOf(startDate) + 1) {
    impossible('year', `year ${year} is after the year of registration.startDate ${startDate}.`)
  }
  if (manufactureDate && Math.abs(year - yearOf(manufactureDate)) > 1) {
    impossible('year', `year ${year} contradicts manufactureDate ${manufactureDate}.`)
  }
  if (firstRegisteredDate && year > yearOf(firstRegisteredDate) + 1) {
    impossible('year', `year ${year} is after the year of firstRegisteredDate ${firstRegisteredDate}.`)
  }
}

const yearOf = (date: string) => Number(date.slice(0, 4))

function checkNew({ year, manufactureDate, firstRegisteredDate }: Vehicle, startDate: string): void {
  const tooOld = (field: string, value: string | number, years: number): never =>
    impossible(field, `${field} ${value} is more than ${years} years before ${startDate}, but the vehicle is new.`)
  const start = dayOf(startDate)
  if (manufactureDate && start > addYears(dayOf(manufactureDate), NEW_FOR_YEARS)) {
    tooOld('manufactureDate', manufactureDate, NEW_FOR_YEARS)
  }
  if (firstRegisteredDate && start > addYears(dayOf(firstRegisteredDate), REGISTERED_NEW_FOR_YEARS)) {
    tooOld('firstRegisteredDate', firstRegisteredDate, REGISTERED_NEW_FOR_YEARS)
  }
  if (year !== undefined && year < yearOf(startDate) - NEW_FOR_YEARS) tooOld('year', year, NEW_FOR_YEARS)
}

/** Refuses `previouslyRegistered: false` for a transfer, and with an earlier date of registration. */
function checkUnregistered(
  { firstRegisteredDate: registered }: Vehicle,
  { type, startDate }: QuoteRequest['registration'],
): void {
  const field = 'previouslyRegistered'
  if (type === 'transfer') impossible(field, 'registration.type is transfer, but previouslyRegistered is false.')
  if (registered === undefined || registered >= startDate) return
  impossible(field, `previouslyRegistered is false, but firstRegisteredDate ${registered} is before ${startDate}.`)
}

/**
 * Checks a vehicle that burns fuel: it has an engine, consumes fuel and emits carbon dioxide. Electric vehicles are not
 * checked.
 */
function checkEngine(vehicle: Vehicle): void {
  const { fuelType, cylinders, rotors = 0, co2GPerKm, engineCapacityCc, fuelConsumptionLPer100km } = vehicle
  if (fuelType === undefined || !BURNING_FUELS.includes(fuelType)) return
  const of = `an engine of fuelType ${fuelType}`
  if (cylinders === 0 && !(rotors > 0)) {
    impossible('cylinders', `cylinders is 0, and no rotors are sent: ${of} has cylinders or rotors.`)
  }
  if (co2GPerKm === 0) impossible('co2GPerKm', `co2GPerKm is 0: ${of} emits some carbon dioxide.`)
  if (engineCapacityCc === 0) impossible('engineCapacityCc', `engineCapacityCc is 0: ${of} has some capacity.`)
  if (fuelConsumptionLPer100km === 0) {
    impossible('fuelConsumptionLPer100km', `fuelConsumptionLPer100km is 0: ${of} uses some fuel.`)
  }
}

/** Checks the seats: at least one, and a vehicle with ten or more is a bus in law, so its body type must say so. */
function checkSeats({ seats, bodyType }: Vehicle): void {
  if (seats === undefined) return
  if (seats === 0) impossible('seats', 'seats is 0: a vehicle has at least the seat of its driver.')
  if (seats <= MOST_SEATS || BODIES_OF_MANY_SEATS.includes(bodyType ?? '')) return
  const [body, bodies] = [bodyType ?? 'which is not sent', BODIES_OF_MANY_SEATS.join(' or ')]
  impossible('seats', `seats is ${seats}, bodyType ${body}: with more than ${MOST_SEATS} seats, send ${bodies}.`)
}

/** Checks the masses: each is above zero and at least the one before. */
function checkMasses(vehicle: Vehicle): void {
  for (const heavier of MASS_FACTS) {
    const most = vehicle[heavier]
    if (most === undefined) continue
    if (most === 0) impossible(heavier, `${heavier} is 0: a vehicle has a mass.`)
    for (const lighter of MASS_FACTS) {
      if (lighter === heavier) break
      const least = vehicle[lighter]
      if (least !== undefined && most < least)
        impossible(heavier, `${heavier} ${most} is less than ${lighter} ${least}.`)
    }
  }
}

/** Refuses a price of zero, which would remove the duty; a price that is unknown is left out. */
function checkPrices({ pricingInputs }: QuoteRequest): void {
  for (const field of ['listPrice', 'marketValue'] as const) {
    if (pricingInputs[field] !== 0) continue
    const message = `${field} is 0: leave it out where it is not known.`
    throw new PricingFault('INVALID_VEHICLE_INPUT', `/pricingInputs/${field}`, message)
  }
}

/** Refuses two different amounts of tax paid: a request may have the field in either of two places, or in both. */
function checkTaxPaid({ pricingInputs, lctPreviouslyPaid: top }: QuoteRequest): void {
  const { lctPreviouslyPaid: inner } = pricingInputs
  if (top === undefined || inner === undefined || top === inner) return
  const message = `lctPreviouslyPaid is sent twice, as ${top} and as ${inner}.`
  throw new PricingFault('INVALID_VEHICLE_INPUT', '/pricingInputs/lctPreviouslyPaid', message)
}
