import { Type, type Static } from 'typebox'
import { Charge } from './charge.ts'
import { Condition } from './condition.ts'
import { FACTS } from './facts.ts'
import { Amount, Evidence, IsoDate, Name, OneOf, Percent, Round, TermShare, Text, UpperBound, Word } from './scalar.ts'

/** What to do when a fact, a class or a zone is unknown and the outcome depends on it. */
export const Missing = Type.Object({
  fact: Type.Optional(OneOf(FACTS)),
  class: Type.Optional(Word('A class of this set.')),
  zone: Type.Optional(Name('A zone list of this set.')),
  when: Type.Optional(Condition),
  assume: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: 'The assumed value: a word, a number, true or false.' }),
  ),
  warning: Type.Optional(Text('Said in the quote when the value is assumed.')),
  unpriced: Type.Optional(Text('No line; this text is the warning.')),
  reject: Type.Optional(Type.Boolean({ description: 'true: INVALID_VEHICLE_INPUT naming the field.' })),
})

/** One `when` and exactly one outcome: `charge`, `exempt`, `unpriced` or `reject`. The last case has no `when`. */
export const Case = Type.Object({
  when: Type.Optional(Condition),
  charge: Type.Optional(Charge),
  exempt: Type.Optional(Type.Object({ reason: Text('Why nothing is charged.', 256), line: OneOf(['omit', 'zero']) })),
  unpriced: Type.Optional(Text('No line; this text is the warning.')),
  reject: Type.Optional(OneOf(['INVALID_VEHICLE_INPUT'])),
  evidence: Type.Optional(Evidence),
  upperBound: Type.Optional(UpperBound),
  warning: Type.Optional(Text('Said in the quote when this case is used.')),
})

/**
 * How a line depends on the registration term: the annual amount times `factor`, plus `plus`, rounded. The factor
 * `days` is the number of days of the term divided by the number of days in the twelve months from its first day.
 */
export const TermFactor = Type.Object({
  months: Type.Integer({ minimum: 1, maximum: 60 }),
  factor: TermShare,
  plus: Type.Optional(Amount),
  round: Type.Optional(Round),
  evidence: Type.Optional(Evidence),
  upperBound: Type.Optional(UpperBound),
  warning: Type.Optional(Text('Said in the quote when this term is asked for.')),
})

/** Two sources that disagree; a rate set records every conflict. */
export const Conflict = Type.Object({
  taken: Text('The figure that the rule has, and who prints it.'),
  leftOut: Text('The figure that the rule has not, and who prints it.'),
  because: Text('Why the one and not the other.'),
})

/** Who sets the figures of a rule: the law, or competing insurers. */
export const VERIFICATION_MODES = ['statutory', 'market'] as const

export const Verification = Type.Object({
  mode: OneOf(VERIFICATION_MODES, 'statutory: set by law; market: set by insurers, the line is a conservative default.'),
  componentType: Type.String({ pattern: '^[a-z][a-z_]*$', maxLength: 63 }),
  evidence: Evidence,
  upperBound: Type.Optional(UpperBound),
  verifiedOn: IsoDate,
  reviewBy: IsoDate,
  sources: Type.Array(Word('A source of this set.'), { minItems: 1, maxItems: 12 }),
  note: Type.Optional(Text('What a reviewer should know.', 1024)),
  conflicts: Type.Optional(Type.Array(Conflict, { minItems: 1, maxItems: 12 })),
})

export const CATEGORIES = ['dutiable', 'onRoad', 'additional'] as const

/** One component in one range of dates. `gst`, a fraction, is the share of the line that is GST. */
export const Rule = Type.Object({
  component: Name('The component, in the words of the act.'),
  name: Text('What the charge is called there.', 128),
  description: Text('What is charged, on what, under which section.', 1024),
  category: OneOf(CATEGORIES),
  startDate: Type.Optional(IsoDate),
  endDate: Type.Optional(IsoDate),
  priority: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  basis: Type.Optional(Name('A basis of this set.')),
  gst: Type.String({ pattern: '^(none|[0-9]{1,4}/[1-9][0-9]{0,3})$', maxLength: 24 }),
  when: Type.Optional(Condition),
  missing: Type.Optional(Type.Array(Missing, { minItems: 1, maxItems: 20 })),
  cases: Type.Array(Case, { minItems: 1, maxItems: 40 }),
  terms: Type.Optional(Type.Array(TermFactor, { minItems: 1, maxItems: 12 })),
  termScale: Type.Optional(Name('A term scale of this set.')),
  verification: Verification,
})

/**
 * What a concession changes: exactly one of `component` and `basis`, and one of `percentOff`, `amountOff` and `set`.
 */
export const Adjustment = Type.Object({
  component: Type.Optional(Name('A component of this set, or of one that it imports.')),
  basis: Type.Optional(Name('A basis of this set.')),
  when: Type.Optional(Condition),
  startDate: Type.Optional(IsoDate),
  endDate: Type.Optional(IsoDate),
  percentOff: Type.Optional(Percent),
  amountOff: Type.Optional(Amount),
  set: Type.Optional(Amount),
  perTerm: Type.Optional(
    Type.Boolean({ description: "The amount is for 12 months and follows the line's term factor." }),
  ),
  round: Type.Optional(Round),
  evidence: Type.Optional(Evidence),
  upperBound: Type.Optional(UpperBound),
  warning: Type.Optional(Text('Said in the quote when this adjustment is used.')),
})

export type Missing = Static<typeof Missing>
export type Case = Static<typeof Case>
export type TermFactor = Static<typeof TermFactor>
export type Conflict = Static<typeof Conflict>
export type Verification = Static<typeof Verification>
export type Rule = Static<typeof Rule>
export type Adjustment = Static<typeof Adjustment>
