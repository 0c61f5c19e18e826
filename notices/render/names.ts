import type { Fact } from '#rates/engine/grammar/facts.ts'
import { isOfZones } from '#rates/diff/zone-moves.ts'
import { ZONES } from '#rates/diff/zone-statements.ts'
import type { Part } from './sections.ts'

/** What readers call each fact; a fact that the grammar gains needs a name here. */
const FACT_WORDS: Record<Fact, string> = {
  bodyType: 'body',
  fuelType: 'fuel',
  condition: 'condition',
  customerType: 'customer type',
  usageType: 'usage',
  registrationType: 'registration',
  gst: 'GST on the sale',
  cylinders: 'cylinders',
  rotors: 'rotors',
  seats: 'seats',
  tareKg: 'tare mass in kg',
  gvmKg: 'GVM in kg',
  kerbMassKg: 'kerb mass in kg',
  co2GPerKm: 'CO2 in g/km',
  engineCapacityCc: 'engine capacity in cc',
  fuelConsumptionLPer100km: 'fuel consumption in L/100 km',
  year: 'year of manufacture',
  termMonths: 'term in months',
  previouslyRegistered: 'registered before',
  demonstrator: 'demonstrator',
  manufactureDate: 'date of manufacture',
  firstRegisteredDate: 'date of first registration',
  dutiable: 'dutiable amount',
  listPrice: 'list price',
  marketValue: 'market value',
  lctPreviouslyPaid: 'luxury car tax paid before',
  postcode: 'postcode',
}

/** `Stamp duty` for the component `STAMP_DUTY`, `Concession: pensioner`; other parts have their own names. */
export function partWords({ kind, component }: Pick<Part, 'kind' | 'component'>): string {
  if (kind === 'concession') return `Concession: ${constantWords(component)}`
  if (isOfZones({ component })) return `Zones of postcodes: ${component.slice(ZONES.length)}`
  if (kind === 'other') return readable(capital(component))
  return capital(constantWords(component))
}

/** `used above the limit` for `usedAboveTheLimit`, and an amount without the name of the parameter that it is. */
export const readable = (text: string): string =>
  text
    .replace(/(\$[\d,.]*\d) \((?:[A-Z_]+\/)?[A-Z][A-Z0-9_]*\)/g, '$1')
    .replace(/\b(?:AU_[A-Z]+\/|AU\/)?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g, (name) =>
      constantWords(name.slice(name.indexOf('/') + 1)),
    )
    .replace(/\b[a-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\b/g, nameWords)
    .replace(/(?<=[a-z])_(?=[a-z])/g, ' ')

/** `luxury car tax` for `LUXURY_CAR_TAX`; an abbreviation, which has no vowel, stays as it is. */
export const constantWords = (name: string): string =>
  name
    .split('_')
    .map((word) => (/[AEIOUY]/.test(word) ? word.toLowerCase() : word))
    .join(' ')

const nameWords = (name: string): string =>
  Object.hasOwn(FACT_WORDS, name)
    ? FACT_WORDS[name as Fact]
    : name.replace(/(?=[A-Z])|(?<=[a-z])(?=\d{2})/g, ' ').toLowerCase()

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)
