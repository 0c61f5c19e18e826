import type { PlacedRule } from './attach.ts'
import { DEFAULT_PRIORITY } from '#rates/engine/grammar/default-priority.ts'
import { CHARGE_RULES } from './charge-rules.ts'
import { REFERENCE_RULES } from './reference-rules.ts'
import { atMostOne, datesInOrder, exactlyOne, uniqueBy } from './rule-forms.ts'

// The operator and the command line repeat all of these checks, and add those that CEL cannot express or afford.

const YEAR_START = "timestamp(self.financialYear.substring(0, 4) + '-07-01T00:00:00Z')"
const YEAR_END = "timestamp(self.financialYear.substring(5) + '-06-30T00:00:00Z')"
const within = (date: string) => `(!has(${date}) || (${date} >= ${YEAR_START} && ${date} <= ${YEAR_END}))`
const priority = (rule: string) => `(has(${rule}.priority) ? ${rule}.priority : ${DEFAULT_PRIORITY})`
const startsBy = (one: string, other: string) =>
  `(!has(${one}.startDate) || !has(${other}.endDate) || ${one}.startDate <= ${other}.endDate)`
const clash = `${priority('a')} == ${priority('b')} && ${startsBy('a', 'b')} && ${startsBy('b', 'a')}`
const isQuotable = '(!has(self.quotable) || self.quotable)'

const identity: PlacedRule[] = [
  {
    path: '.',
    rule: "self.metadata.name == self.spec.pricingCode.lowerAscii().replace('_', '-') + '-fy' + self.spec.financialYear.substring(7)",
    message: 'expected the name <pricing-code>-fy<yy>, such as au-vic-fy27 for AU_VIC and 2026-2027',
  },
  {
    path: '.spec',
    rule: 'int(self.financialYear.substring(5)) == int(self.financialYear.substring(0, 4)) + 1',
    message: 'expected a financialYear of two consecutive years, such as 2026-2027',
  },
  {
    path: '.spec',
    rule: 'self.pricingCode == oldSelf.pricingCode && self.financialYear == oldSelf.financialYear',
    message: 'pricingCode and financialYear never change; make another object',
  },
]

const quotable: PlacedRule[] = [
  {
    path: '.spec',
    rule: `!${isQuotable} || has(self.imports)`,
    message: 'a set that is quoted imports the federal set',
  },
  {
    path: '.spec',
    rule: `!${isQuotable} || has(self.offers)`,
    message: 'a set that is quoted has offers: terms and registrationTypes',
  },
  {
    path: '.spec',
    rule: `!${isQuotable} || (has(self.examples) && self.examples.size() > 0)`,
    message: 'a set that is quoted has worked examples',
  },
  {
    path: '.spec',
    rule: '!has(self.imports) || !self.imports.exists(code, code == self.pricingCode)',
    message: 'a set does not import itself',
  },
]

const dates: PlacedRule[] = [
  datesInOrder('.spec.rules[]'),
  datesInOrder('.spec.concessions[]'),
  datesInOrder('.spec.concessions[].adjustments[]'),
  datesInOrder('.spec.offers.registrationTypes[]'),
  {
    path: '.spec',
    rule: `self.rules.all(r, ${within('r.startDate')} && ${within('r.endDate')})`,
    message: 'expected the dates of a rule within the financial year',
  },
  {
    path: '.spec.parameters[].values',
    rule: 'self.all(i, v, i == 0 || (has(v.startDate) && (!has(self[i - 1].startDate) || self[i - 1].startDate < v.startDate)))',
    message: 'expected values in the order of their startDate, which only the first may lack',
  },
  {
    path: '.spec',
    rule: `self.rules.all(a, self.rules.filter(b, b.component == a.component && ${clash}).size() <= 1)`,
    message: 'rules of one component that overlap in date need different priorities',
  },
]

const names: PlacedRule[] = [
  ...['sources', 'parameters', 'classes', 'derivedFacts', 'zones', 'bases', 'termScales', 'examples'].map((list) =>
    uniqueBy(`.spec.${list}`, 'name'),
  ),
  uniqueBy('.spec.zones[].values', 'zone'),
  uniqueBy('.spec.termScales[].terms', 'months'),
  uniqueBy('.spec.rules[].terms', 'months'),
  uniqueBy('.spec.concessions', 'type'),
  uniqueBy('.spec.offers.registrationTypes', 'type'),
]

const shapes: PlacedRule[] = [
  exactlyOne('.spec.bases[].cases[]', ['sum', 'greatest', 'firstPresent']),
  ...['.spec.missing[]', '.spec.rules[].missing[]'].flatMap((path) => [
    exactlyOne(path, ['fact', 'class', 'zone']),
    exactlyOne(path, ['assume', 'unpriced', 'reject']),
    {
      path,
      rule: '!has(self.warning) || has(self.assume)',
      message: 'a warning goes with assume; unpriced is its own',
    },
  ]),
  atMostOne('.spec.rules[]', ['terms', 'termScale']),
  ...['.spec.termScales[].terms[]', '.spec.rules[].terms[]'].map((path) => ({
    path,
    rule: "!has(self.evidence) || self.evidence != 'estimate' || has(self.warning)",
    message: 'a term that is an estimate carries a warning',
  })),
  exactlyOne('.spec.concessions[].adjustments[]', ['component', 'basis']),
  exactlyOne('.spec.concessions[].adjustments[]', ['percentOff', 'amountOff', 'set']),
  {
    path: '.spec.concessions[].adjustments[]',
    rule: '!has(self.perTerm) || !self.perTerm || (has(self.component) && !has(self.percentOff))',
    message: 'perTerm needs a component and an amount',
  },
  {
    path: '.spec.concessions[]',
    rule: "self.adjustments.all(a, (has(a.evidence) ? a.evidence : self.evidence) != 'estimate' || has(a.warning))",
    message: 'an adjustment that is an estimate carries a warning',
  },
  atMostOne('.spec.examples[].given', ['dutiable', 'lines']),
]

/** The rules for a RateSet beyond its schema, within the cost that the server allows. */
export const RATE_SET_RULES: PlacedRule[] = [
  ...identity,
  ...quotable,
  ...dates,
  ...names,
  ...shapes,
  ...CHARGE_RULES,
  ...REFERENCE_RULES,
]
