import { Type, type Static } from 'typebox'
import { NUMBER_FACTS } from './facts.ts'
import {
  Amount,
  Cell,
  Measure,
  Name,
  OneOf,
  Percent,
  Positive,
  PositiveAmount,
  Round,
  ROUND_MODES,
  AddendText,
  Text,
  Word,
  UpperBound,
} from './scalar.ts'

/** A charge on the whole basis: `rate` dollars per `per` dollars or part, or `percent` of the basis. */
export const Whole = Type.Object(
  {
    rate: Type.Optional(Amount),
    per: Type.Optional(PositiveAmount),
    percent: Type.Optional(Percent),
  },
  { minProperties: 1 },
)

/** A charge on the part of the basis above the previous band's edge, plus `plus`. */
export const Excess = Type.Object(
  {
    rate: Type.Optional(Amount),
    per: Type.Optional(PositiveAmount),
    percent: Type.Optional(Percent),
    plus: Type.Optional(Amount),
  },
  { minProperties: 1 },
)

/**
 * A rate of duty that rises with the value: percent + (basis - above) / divisor, rounded to `decimals` places, applied
 * to the whole basis (WA, Duties Act 2008 s 236).
 */
export const Interpolate = Type.Object({
  percent: Percent,
  above: Amount,
  divisor: Positive,
  decimals: Type.Integer({ minimum: 0, maximum: 6 }),
  mode: Type.Optional(OneOf(ROUND_MODES)),
})

/** One band: `upTo` is inclusive and compared with the unrounded basis; the last band has no `upTo`. */
export const Band = Type.Object(
  {
    upTo: Type.Optional(Amount),
    flat: Type.Optional(Amount),
    whole: Type.Optional(Whole),
    excess: Type.Optional(Excess),
    interpolate: Type.Optional(Interpolate),
  },
  { minProperties: 1 },
)

/** `rate` dollars for each `per` of a physical fact; part units count up, down or pro rata. */
export const Units = Type.Object({
  of: OneOf(NUMBER_FACTS),
  per: Positive,
  part: OneOf(['up', 'down', 'prorata']),
  rate: Amount,
})

export const Row = Type.Object({
  upTo: Type.Optional(Measure),
  class: Type.Optional(Word('A class of this set.')),
  zone: Type.Optional(Name("A zone of the table's zone list.")),
  amounts: Type.Array(Cell, { minItems: 1, maxItems: 12 }),
  evidence: Type.Optional(OneOf(['official', 'secondary', 'derived', 'estimate'])),
  upperBound: Type.Optional(UpperBound),
  warning: Type.Optional(Text('Said in the quote when this row is used.')),
})

/**
 * Rows are selected by the edge of a fact, by class or by zone: the first match applies. Columns are classes: the first
 * class that holds applies.
 */
export const Table = Type.Object({
  fact: Type.Optional(OneOf(NUMBER_FACTS)),
  zone: Type.Optional(Name('A zone list of this set.')),
  columns: Type.Optional(Type.Array(Word('A class of this set.'), { minItems: 1, maxItems: 12 })),
  rows: Type.Array(Row, { minItems: 1, maxItems: 60 }),
})

export const Offer = Type.Object({
  label: Text('The insurer or the filing.', 128),
  amount: Amount,
})

/** A charge has exactly one form, then `less`, `atLeast`, `atMost` and `round`, applied in that order. */
export const Charge = Type.Object(
  {
    flat: Type.Optional(Amount),
    whole: Type.Optional(Whole),
    bands: Type.Optional(Type.Array(Band, { minItems: 1, maxItems: 16 })),
    interpolate: Type.Optional(Interpolate),
    units: Type.Optional(Units),
    table: Type.Optional(Table),
    greatestOf: Type.Optional(Type.Array(Offer, { minItems: 1, maxItems: 12 })),
    less: Type.Optional(Type.Array(AddendText, { minItems: 1, maxItems: 4 })),
    atLeast: Type.Optional(Amount),
    atMost: Type.Optional(Amount),
    round: Type.Optional(Round),
  },
  { minProperties: 1 },
)

export type Whole = Static<typeof Whole>
export type Excess = Static<typeof Excess>
export type Interpolate = Static<typeof Interpolate>
export type Band = Static<typeof Band>
export type Units = Static<typeof Units>
export type Offer = Static<typeof Offer>
export type Row = Static<typeof Row>
export type Table = Static<typeof Table>
export type Charge = Static<typeof Charge>
export type Round = Static<typeof Round>
