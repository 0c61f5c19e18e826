import { Type, type Static } from 'typebox'
import { Condition } from './condition.ts'
import { NUMBER_FACTS, REGISTRATION_TYPES, SALE_GST } from './facts.ts'
import { Adjustment, Missing, Rule, TermFactor } from './rule.ts'
import {
  Decimal,
  Dollars,
  Evidence,
  ExpectedFigure,
  IsoDate,
  Label,
  Measure,
  Name,
  NonZero,
  OneOf,
  Pin,
  PricingCode,
  AddendText,
  Text,
  Word,
  UpperBound,
} from './scalar.ts'
import { ZoneList } from './zone-list.ts'

export const Source = Type.Object({
  name: Word('What the figures of this set call it.'),
  label: Text('Title of the page, act or instrument.', 256),
  url: Type.String({ pattern: '^https?://', maxLength: 1024 }),
  authority: Text('Who publishes it.', 128),
  kind: OneOf(['html', 'pdf', 'legislation', 'gazette', 'data']),
  official: Type.Boolean({ description: "true: the authority's own page, or an act at AustLII; false: a copy." }),
})

const ParameterValue = Type.Object({
  value: Decimal,
  startDate: Type.Optional(IsoDate),
  evidence: Evidence,
  upperBound: Type.Optional(UpperBound),
  sources: Type.Array(Word('A source of this set.'), { minItems: 1, maxItems: 12 }),
})

/**
 * A named dated constant, one for each legal instrument. A change within the year adds a value with a later startDate.
 */
export const Parameter = Type.Object({
  name: Name('What amounts of this set call it.'),
  label: Type.Optional(Label),
  unit: OneOf(['AUD']),
  description: Type.Optional(Text('The instrument that sets it.')),
  values: Type.Array(ParameterValue, { minItems: 1, maxItems: 12 }),
})

/** A named test, which holds when any of the conditions holds. */
export const NamedClass = Type.Object({
  name: Word('What conditions of this set call it.'),
  label: Type.Optional(Label),
  description: Type.Optional(Text('The words of the act.')),
  anyOf: Type.Array(Condition, { minItems: 1, maxItems: 12 }),
})

export const DerivedFact = Type.Object({
  name: Name('What conditions of this set call it.'),
  description: Type.Optional(Text('The formula in words, with its section.')),
  sum: Type.Array(Type.Object({ fact: OneOf(NUMBER_FACTS), times: Type.Optional(NonZero) }), {
    minItems: 1,
    maxItems: 8,
  }),
})

const BasisCase = Type.Object({
  when: Type.Optional(Condition),
  sum: Type.Optional(Type.Array(AddendText, { minItems: 1, maxItems: 12 })),
  greatest: Type.Optional(Type.Array(AddendText, { minItems: 1, maxItems: 12 })),
  firstPresent: Type.Optional(Type.Array(AddendText, { minItems: 1, maxItems: 12 })),
  minus: Type.Optional(Type.Array(AddendText, { minItems: 1, maxItems: 12 })),
  warning: Type.Optional(Text('Said in the quote when this case is used.')),
  ofLines: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Text('A line kind.', 32),
        warning: Text('Said in the quote when the price has lines of this kind.'),
      }),
      { minItems: 1, maxItems: 12 },
    ),
  ),
})

/** A named amount on which charges are computed, at least 0; the first case that matches applies. */
export const Basis = Type.Object({
  name: Name('What rules of this set call it.'),
  description: Type.Optional(Text('The words of the act.')),
  cases: Type.Array(BasisCase, { minItems: 1, maxItems: 12 }),
})

export const TermScale = Type.Object({
  name: Name('What rules of this set call it.'),
  terms: Type.Array(TermFactor, { minItems: 1, maxItems: 12 }),
})

export const Concession = Type.Object({
  type: Name('The code that a request sends.'),
  label: Text('Who may claim it.', 128),
  description: Text('What the concession does.', 1024),
  startDate: Type.Optional(IsoDate),
  endDate: Type.Optional(IsoDate),
  evidence: Evidence,
  upperBound: Type.Optional(UpperBound),
  sources: Type.Array(Word('A source of this set.'), { minItems: 1, maxItems: 12 }),
  adjustments: Type.Array(Adjustment, { minItems: 1, maxItems: 20 }),
})

/** The inputs of a worked example, in the units that people write: dollars, kilograms, ISO dates. */
export const Given = Type.Object({
  date: Type.Optional(IsoDate),
  dutiable: Type.Optional(Dollars),
  lines: Type.Optional(
    Type.Array(Type.Object({ kind: Text('A line kind.', 32), value: Dollars }), { minItems: 1, maxItems: 12 }),
  ),
  additional: Type.Optional(
    Type.Array(Type.Object({ kind: Text('A line kind.', 32), value: Dollars }), { minItems: 1, maxItems: 12 }),
  ),
  gst: Type.Optional(OneOf(SALE_GST, 'none: a sale that bears no GST.')),
  listPrice: Type.Optional(Dollars),
  marketValue: Type.Optional(Dollars),
  lctPreviouslyPaid: Type.Optional(Dollars),
  bodyType: Type.Optional(Type.String({ maxLength: 32 })),
  fuelType: Type.Optional(Type.String({ maxLength: 8 })),
  condition: Type.Optional(Type.String({ maxLength: 8 })),
  customerType: Type.Optional(Type.String({ maxLength: 32 })),
  usageType: Type.Optional(Type.String({ maxLength: 32 })),
  registrationType: Type.Optional(OneOf(REGISTRATION_TYPES)),
  termMonths: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  postcode: Type.Optional(Type.String({ pattern: '^[0-9]{4}$', maxLength: 4 })),
  concession: Type.Optional(Name('A concession type.')),
  cylinders: Type.Optional(Measure),
  rotors: Type.Optional(Measure),
  seats: Type.Optional(Measure),
  tareKg: Type.Optional(Measure),
  gvmKg: Type.Optional(Measure),
  kerbMassKg: Type.Optional(Measure),
  co2GPerKm: Type.Optional(Measure),
  engineCapacityCc: Type.Optional(Measure),
  fuelConsumptionLPer100km: Type.Optional(Measure),
  year: Type.Optional(Measure),
  previouslyRegistered: Type.Optional(Type.Boolean()),
  demonstrator: Type.Optional(Type.Boolean()),
  manufactureDate: Type.Optional(IsoDate),
  firstRegisteredDate: Type.Optional(IsoDate),
})

/**
 * A worked example: a rate set that fails one is not published. `expect` maps a component to dollars, or to `none` (no
 * line) or `unpriced` (due, without a figure); `gst:COMPONENT` is the GST in the lines of the component, and
 * `gst:overall` the GST of all lines.
 */
export const Example = Type.Object({
  name: Text('What the example shows.', 128),
  source: Type.Object({
    kind: OneOf(['published', 'formula'], 'published: stands in the source; formula: worked by hand from the act.'),
    name: Word('A source of this set.'),
    note: Type.Optional(Text('Where in the source, or the working.')),
  }),
  given: Given,
  expect: Type.Record(Type.String(), ExpectedFigure, { minProperties: 1, maxProperties: 30 }),
})

/** The spec of a RateSet: one pricing code for one financial year. */
export const RateSetSpec = Type.Object({
  pricingCode: PricingCode,
  financialYear: Type.String({ pattern: '^(19|20)[0-9]{2}-(19|20)[0-9]{2}$', maxLength: 9 }),
  jurisdiction: Type.Optional(Text('What the jurisdiction is called; without it, the pricing code is shown.', 64)),
  quotable: Type.Optional(Type.Boolean({ description: 'false: imported by others, never quoted.' })),
  withdrawn: Type.Optional(Type.Boolean({ description: 'true: the set is no longer published.' })),
  pin: Type.Optional(Pin),
  timeZone: Type.String({ pattern: '^[A-Za-z_]+/[A-Za-z_]+$', maxLength: 64 }),
  imports: Type.Optional(Type.Array(PricingCode, { minItems: 1, maxItems: 4 })),
  offers: Type.Optional(
    Type.Object({
      terms: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { minItems: 1, maxItems: 12 }),
      registrationTypes: Type.Array(
        Type.Object({
          type: OneOf(REGISTRATION_TYPES),
          startDate: Type.Optional(IsoDate),
          endDate: Type.Optional(IsoDate),
        }),
        { minItems: 1, maxItems: 4 },
      ),
    }),
  ),
  sources: Type.Array(Source, { minItems: 1, maxItems: 80 }),
  parameters: Type.Optional(Type.Array(Parameter, { maxItems: 40 })),
  classes: Type.Optional(Type.Array(NamedClass, { maxItems: 60 })),
  derivedFacts: Type.Optional(Type.Array(DerivedFact, { maxItems: 20 })),
  zones: Type.Optional(Type.Array(ZoneList, { maxItems: 10 })),
  bases: Type.Optional(Type.Array(Basis, { maxItems: 20 })),
  termScales: Type.Optional(Type.Array(TermScale, { maxItems: 10 })),
  missing: Type.Optional(Type.Array(Missing, { maxItems: 20 })),
  rules: Type.Array(Rule, { minItems: 1, maxItems: 80 }),
  concessions: Type.Optional(Type.Array(Concession, { maxItems: 40 })),
  examples: Type.Optional(Type.Array(Example, { maxItems: 200 })),
})

export type Source = Static<typeof Source>
export type Parameter = Static<typeof Parameter>
export type NamedClass = Static<typeof NamedClass>
export type DerivedFact = Static<typeof DerivedFact>
export type Basis = Static<typeof Basis>
export type BasisCase = Static<typeof BasisCase>
export type TermScale = Static<typeof TermScale>
export type Concession = Static<typeof Concession>
export type Given = Static<typeof Given>
export type Example = Static<typeof Example>
export type RateSetSpec = Static<typeof RateSetSpec>
