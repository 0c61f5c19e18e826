/** The facts of a request that a rate set may read, by the type of their test. */

export const BODY_TYPES = [
  'sedan',
  'hatch',
  'wagon',
  'suv',
  'coupe',
  'convertible',
  'people_mover',
  'ute',
  'cab_chassis',
  'van',
  'bus',
  'motorcycle',
] as const
export const FUEL_TYPES = ['ICE', 'HEV', 'PHEV', 'BEV', 'FCEV'] as const
export const CUSTOMER_TYPES = ['consumer', 'business', 'government', 'charity'] as const
export const USAGE_TYPES = ['consumer', 'business', 'primary_producer', 'taxi'] as const
export const CONDITIONS = ['new', 'used'] as const
export const REGISTRATION_TYPES = ['new', 'transfer'] as const
/** Whether the sale bears GST: a dealer's sale does, a private sale does not. */
export const SALE_GST = ['taxable', 'none'] as const
export const LINE_KINDS = [
  'vehicle',
  'factory_option',
  'accessory',
  'delivery',
  'discount',
  'extended_warranty',
  'service_plan',
  'insurance',
  'disability_modification',
] as const

/** Facts tested by a list of words. */
export const ENUM_FACTS = {
  bodyType: BODY_TYPES,
  fuelType: FUEL_TYPES,
  condition: CONDITIONS,
  customerType: CUSTOMER_TYPES,
  usageType: USAGE_TYPES,
  registrationType: REGISTRATION_TYPES,
  gst: SALE_GST,
} as const

/** Facts tested by `{ above, min, max, below }`: kilograms, litres per 100 km, grams per km, cubic centimetres, counts. */
export const NUMBER_FACTS = [
  'cylinders',
  'rotors',
  'seats',
  'tareKg',
  'gvmKg',
  'kerbMassKg',
  'co2GPerKm',
  'engineCapacityCc',
  'fuelConsumptionLPer100km',
  'year',
  'termMonths',
] as const

/** Facts tested by `true` or `false`. */
export const BOOLEAN_FACTS = ['previouslyRegistered', 'demonstrator'] as const

/** Facts tested by `{ from, to }`, ISO dates, both inclusive. */
export const DATE_FACTS = ['manufactureDate', 'firstRegisteredDate'] as const

/** Money inputs that bases may read; integer cents in a request. */
export const MONEY_FACTS = ['dutiable', 'listPrice', 'marketValue', 'lctPreviouslyPaid'] as const

/** Facts that are never missing, because the API has defaults for them. */
export const NEVER_MISSING = [
  'condition',
  'customerType',
  'usageType',
  'registrationType',
  'termMonths',
  'dutiable',
] as const

export const FACTS = [
  ...(Object.keys(ENUM_FACTS) as (keyof typeof ENUM_FACTS)[]),
  ...NUMBER_FACTS,
  ...BOOLEAN_FACTS,
  ...DATE_FACTS,
  ...MONEY_FACTS,
  'postcode' as const,
] as const

export type EnumFact = keyof typeof ENUM_FACTS
export type NumberFact = (typeof NUMBER_FACTS)[number]
export type BooleanFact = (typeof BOOLEAN_FACTS)[number]
export type DateFact = (typeof DATE_FACTS)[number]
export type MoneyFact = (typeof MONEY_FACTS)[number]
export type Fact = (typeof FACTS)[number]
export type LineKind = (typeof LINE_KINDS)[number]
