import { Type, type Static } from 'typebox'
import {
  BODY_TYPES,
  CONDITIONS,
  CUSTOMER_TYPES,
  DATE_FACTS,
  FACTS,
  FUEL_TYPES,
  REGISTRATION_TYPES,
  SALE_GST,
  USAGE_TYPES,
} from './facts.ts'
import { Amount, Decimal, IsoDate, Measure, Name, OneOf, Word } from './scalar.ts'

/** Bounds on a number: `above` and `below` exclude their edge, `min` and `max` include it. */
export const NumberTest = Type.Object(
  {
    above: Type.Optional(Measure),
    min: Type.Optional(Measure),
    max: Type.Optional(Measure),
    below: Type.Optional(Measure),
  },
  { minProperties: 1 },
)

const DateTest = Type.Object({ from: Type.Optional(IsoDate), to: Type.Optional(IsoDate) }, { minProperties: 1 })

const anyOf = <const T extends string>(values: readonly T[]) => Type.Array(OneOf(values), { minItems: 1, maxItems: 12 })

const factTests = {
  bodyType: Type.Optional(anyOf(BODY_TYPES)),
  fuelType: Type.Optional(anyOf(FUEL_TYPES)),
  condition: Type.Optional(anyOf(CONDITIONS)),
  customerType: Type.Optional(anyOf(CUSTOMER_TYPES)),
  usageType: Type.Optional(anyOf(USAGE_TYPES)),
  registrationType: Type.Optional(anyOf(REGISTRATION_TYPES)),
  gst: Type.Optional(anyOf(SALE_GST)),
  cylinders: Type.Optional(NumberTest),
  rotors: Type.Optional(NumberTest),
  seats: Type.Optional(NumberTest),
  tareKg: Type.Optional(NumberTest),
  gvmKg: Type.Optional(NumberTest),
  kerbMassKg: Type.Optional(NumberTest),
  co2GPerKm: Type.Optional(NumberTest),
  engineCapacityCc: Type.Optional(NumberTest),
  fuelConsumptionLPer100km: Type.Optional(NumberTest),
  year: Type.Optional(NumberTest),
  termMonths: Type.Optional(NumberTest),
  previouslyRegistered: Type.Optional(Type.Boolean()),
  demonstrator: Type.Optional(Type.Boolean()),
  manufactureDate: Type.Optional(DateTest),
  firstRegisteredDate: Type.Optional(DateTest),
}

/** Age in calendar years from a date to the start of the registration; exactly n years old is not more than n years. */
const AgeTest = Type.Object(
  {
    from: OneOf(DATE_FACTS),
    moreThanYears: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    atMostYears: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  },
  { minProperties: 2 },
)

const DerivedTest = Type.Object(
  {
    name: Name('A derived fact of this set.'),
    above: Type.Optional(Decimal),
    min: Type.Optional(Decimal),
    max: Type.Optional(Decimal),
    below: Type.Optional(Decimal),
  },
  { minProperties: 2 },
)

/** A test: every key must hold. All classes of `class` must hold, and none of `not`. */
export const Condition = Type.Object(
  {
    ...factTests,
    class: Type.Optional(Type.Array(Word('A class of this set.'), { minItems: 1, maxItems: 8 })),
    not: Type.Optional(Type.Array(Word('A class of this set.'), { minItems: 1, maxItems: 8 })),
    zone: Type.Optional(
      Type.Object({
        name: Name('A zone list of this set.'),
        in: Type.Array(Name('A zone.'), { minItems: 1, maxItems: 20 }),
      }),
    ),
    derived: Type.Optional(Type.Array(DerivedTest, { minItems: 1, maxItems: 4 })),
    age: Type.Optional(AgeTest),
    // For relief that ends by its own law: when the rates of the last known day are used for a later day, this tests
    // the day that was requested.
    requestedDate: Type.Optional(DateTest),
    present: Type.Optional(Type.Array(OneOf(FACTS), { minItems: 1, maxItems: 8 })),
    basis: Type.Optional(
      Type.Object(
        {
          upTo: Type.Optional(Amount),
          above: Type.Optional(Amount),
        },
        { minProperties: 1, description: "The rule's basis, unrounded: `upTo` includes its edge, `above` does not." },
      ),
    ),
  },
  { minProperties: 1 },
)

export type NumberTest = Static<typeof NumberTest>
export type DateTest = Static<typeof DateTest>
export type AgeTest = Static<typeof AgeTest>
export type DerivedTest = Static<typeof DerivedTest>
export type Condition = Static<typeof Condition>
