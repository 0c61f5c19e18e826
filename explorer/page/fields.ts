import {
  BODY_TYPES,
  CONDITIONS,
  CUSTOMER_TYPES,
  FUEL_TYPES,
  REGISTRATION_TYPES,
  SALE_GST,
  USAGE_TYPES,
} from '#rates/engine/grammar/facts.ts'
import { isDate } from '#rates/engine/dates.ts'
import { day, lowerFirst, stateName, words } from './words.ts'

/** One field of the form, named like the request's field; `path` is its JSON pointer there. */
export interface Field {
  name: string
  label: string
  path: string
  type: 'choice' | 'money' | 'number' | 'date' | 'text' | 'boolean'
  choices?: readonly string[]
  /** The number has no decimal point, as in the contract of the API. */
  isWhole?: true
  /** The largest number that the contract of the API has. */
  most?: number
  /** Shown for every vehicle; other fields appear when a charge depends on them. */
  always?: true
}

const vehicle = (name: string, label: string, type: Field['type'], rest: Partial<Field> = {}): Field => ({
  name,
  label,
  type,
  path: `/vehicleGeneric/${name}`,
  ...rest,
})
const money = (name: string, label: string): Field => ({ name, label, type: 'money', path: `/pricingInputs/${name}` })

/** The fields in the order of the form. `value` is the price of the vehicle. */
export const FIELDS: readonly Field[] = [
  { name: 'pricingCode', label: 'State or territory', path: '/pricingCode', type: 'choice', choices: [], always: true },
  { name: 'startDate', label: 'Registered from', path: '/registration/startDate', type: 'date', always: true },
  { name: 'value', label: 'Price before on-road costs', path: '/pricingInputs/dutiable', type: 'money', always: true },
  vehicle('bodyType', 'Body', 'choice', { choices: BODY_TYPES, always: true }),
  vehicle('fuelType', 'Energy', 'choice', { choices: FUEL_TYPES, always: true }),
  vehicle('condition', 'Condition', 'choice', { choices: CONDITIONS, always: true }),
  { name: 'postcode', label: 'Postcode of the garage', path: '/registration/postcode', type: 'text' },
  { name: 'termMonths', label: 'Term, months', path: '/registration/termMonths', type: 'number', isWhole: true },
  vehicle('co2GPerKm', 'CO2, g/km', 'number', { most: 10_000 }),
  vehicle('fuelConsumptionLPer100km', 'Fuel consumption, L/100 km', 'number', { most: 1000 }),
  vehicle('cylinders', 'Cylinders', 'number', { isWhole: true, most: 48 }),
  vehicle('rotors', 'Rotors', 'number', { isWhole: true, most: 12 }),
  vehicle('engineCapacityCc', 'Engine capacity, cc', 'number', { most: 100_000 }),
  vehicle('seats', 'Seats', 'number', { isWhole: true, most: 200 }),
  vehicle('tareKg', 'Tare, kg', 'number', { isWhole: true, most: 100_000 }),
  vehicle('kerbMassKg', 'Kerb mass, kg', 'number', { most: 200_000 }),
  vehicle('gvmKg', 'Gross vehicle mass, kg', 'number', { most: 200_000 }),
  vehicle('year', 'Year of manufacture', 'number', { isWhole: true, most: 9999 }),
  vehicle('manufactureDate', 'Day of manufacture', 'date'),
  vehicle('firstRegisteredDate', 'Day of first registration', 'date'),
  vehicle('previouslyRegistered', 'Registered before', 'boolean'),
  vehicle('demonstrator', 'Demonstrator', 'boolean'),
  money('listPrice', 'List price'),
  money('marketValue', 'Market value'),
  money('lctPreviouslyPaid', 'Luxury car tax paid before'),
  { name: 'gst', label: 'GST of the sale', path: '/pricingInputs/gst', type: 'choice', choices: SALE_GST },
  { name: 'type', label: 'Registration', path: '/registration/type', type: 'choice', choices: REGISTRATION_TYPES },
  { name: 'customerType', label: 'Buyer', path: '/customer/customerType', type: 'choice', choices: CUSTOMER_TYPES },
  { name: 'usageType', label: 'Use', path: '/customer/usageType', type: 'choice', choices: USAGE_TYPES },
]

/** The text of an option of a choice; `names` are the jurisdictions by pricing code. */
export function optionLabel(choice: string, names: Readonly<Record<string, string>>): string {
  if (choice === 'true') return 'Yes'
  return choice === 'false' ? 'No' : (names[choice] ?? words(choice))
}

/** The words for the names of a request, by name: the label of the form's field without its unit. */
const LABELS = new Map([
  ...FIELDS.map(({ name, label }) => [name, lowerFirst(label.split(',')[0]!)] as const),
  // What a sentence says; the form has "Registered from" and no day of purchase.
  ...['startDate', 'purchaseDate'].map((name) => [name, 'day of registration'] as const),
])

const GROUPED = /\b(?:pricingInputs|vehicleGeneric|registration|customer)\.(\w+)/g
const NAME = /\b[a-z][a-z0-9]*[A-Z]\w*/g
const CODE = /\b(?:AU_[A-Z]+|ICE|HEV|PHEV|BEV|FCEV)\b/g

/** A message of the engine with the words of the form in place of the request's names, and days as people write them. */
export function plainly(message: string): string {
  const label = (name: string) => LABELS.get(name)
  const named = message
    .replace('vehicleGeneric used: make and model default to generic', 'The make and the model are not known')
    // Words that are followed by the name of the field.
    .replaceAll(/ \(([a-z][a-z0-9]*[A-Z]\w*)\)/g, (all, name: string) => (label(name) === undefined ? all : ''))
    .replaceAll(GROUPED, (all, name: string) => label(name) ?? all)
    .replaceAll(NAME, (name) => label(name) ?? name)
    .replace(/^Fuel type\b/, 'Energy')
    .replaceAll(CODE, (code) => stateName(code) ?? lowerFirst(words(code)))
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (iso) => (isDate(iso) ? day(iso) : iso))
  return named.charAt(0).toUpperCase() + named.slice(1)
}
