import { ENUM_FACTS, type BooleanFact, type EnumFact, type LineKind } from '../engine/grammar/facts.ts'

/** The readers' name for each value of a test; the name shows which fact is tested. Add one for each new value. */
const VALUE_WORDS: { [F in EnumFact]: Record<(typeof ENUM_FACTS)[F][number], string> } = {
  bodyType: {
    sedan: 'sedan',
    hatch: 'hatch',
    wagon: 'wagon',
    suv: 'SUV',
    coupe: 'coupe',
    convertible: 'convertible',
    people_mover: 'people mover',
    ute: 'ute',
    cab_chassis: 'cab chassis',
    van: 'van',
    bus: 'bus',
    motorcycle: 'motorcycle',
  },
  fuelType: {
    ICE: 'combustion engine only',
    HEV: 'hybrid',
    PHEV: 'plug-in hybrid',
    BEV: 'battery electric',
    FCEV: 'fuel cell',
  },
  condition: { new: 'new', used: 'used' },
  customerType: {
    consumer: 'private buyer',
    business: 'business buyer',
    government: 'government buyer',
    charity: 'charity as the buyer',
  },
  usageType: {
    consumer: 'private use',
    business: 'business use',
    primary_producer: 'use in primary production',
    taxi: 'taxi',
  },
  registrationType: { new: 'new registration', transfer: 'transfer of registration' },
  gst: { taxable: 'sale with GST', none: 'sale without GST' },
}

/** The readers' names for true and false of each fact. */
export const BOOLEAN_WORDS: Record<BooleanFact, readonly [yes: string, no: string]> = {
  previouslyRegistered: ['registered before', 'never registered before'],
  demonstrator: ['demonstrator', 'not a demonstrator'],
}

/** The readers' names for the lines of a price. */
export const LINE_WORDS: Record<LineKind, string> = {
  vehicle: 'vehicle',
  factory_option: 'factory options',
  accessory: 'accessories',
  delivery: 'dealer delivery',
  discount: 'discount',
  extended_warranty: 'extended warranty',
  service_plan: 'service plan',
  insurance: 'insurance',
  disability_modification: 'modifications for people with disability',
}

/** `private buyer` for the value `consumer` of `customerType`; undefined of another fact. */
export const valueWords = (fact: string, value: string): string | undefined =>
  Object.hasOwn(VALUE_WORDS, fact) ? (VALUE_WORDS[fact as EnumFact] as Record<string, string>)[value] : undefined
