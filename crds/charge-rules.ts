import type { PlacedRule } from './attach.ts'
import { atMostOne, exactlyOne } from './rule-forms.ts'

const CASE = '.spec.rules[].cases[]'
const CHARGE = `${CASE}.charge`
const TABLE = `${CHARGE}.table`

const proportion = (path: string): PlacedRule[] => [
  { path, rule: 'has(self.rate) == has(self.per)', message: 'rate and per go together' },
  { path, rule: 'has(self.percent) != has(self.rate)', message: 'expected either percent, or rate and per' },
]

const bands: PlacedRule[] = [
  {
    path: `${CHARGE}.bands`,
    rule: '!has(self[self.size() - 1].upTo)',
    message: 'the last band takes the rest: it has no upTo',
  },
  {
    path: `${CHARGE}.bands`,
    rule: 'self.filter(b, !has(b.upTo)).size() <= 1',
    message: 'every band but the last has upTo',
  },
  {
    path: `${CHARGE}.bands`,
    // An edge that is a parameter is not a quantity; the operator checks those, because it knows their values.
    rule: 'self.all(i, b, i == 0 || !has(b.upTo) || !isQuantity(self[i - 1].upTo) || !isQuantity(b.upTo) || quantity(self[i - 1].upTo).isLessThan(quantity(b.upTo)))',
    message: 'expected band edges that rise',
  },
  exactlyOne(`${CHARGE}.bands[]`, ['flat', 'whole', 'excess', 'interpolate']),
  ...proportion(`${CHARGE}.bands[].whole`),
  ...proportion(`${CHARGE}.bands[].excess`),
]

const tables: PlacedRule[] = [
  atMostOne(TABLE, ['fact', 'zone']),
  {
    path: TABLE,
    rule: 'self.rows.all(r, r.amounts.size() == (has(self.columns) ? self.columns.size() : 1))',
    message: 'expected one amount a column in each row',
  },
  {
    path: TABLE,
    rule: 'self.rows.all(r, (has(self.fact) || !has(r.upTo)) && (has(self.zone) == has(r.zone)))',
    message: 'a row has upTo only in a table by fact, and a zone exactly in a table by zone',
  },
  atMostOne(`${TABLE}.rows[]`, ['upTo', 'class', 'zone']),
]

/** What cases and charges must satisfy. */
export const CHARGE_RULES: PlacedRule[] = [
  exactlyOne(CASE, ['charge', 'exempt', 'unpriced', 'reject']),
  {
    path: CASE,
    rule: "!has(self.evidence) || self.evidence != 'estimate' || !has(self.charge) || has(self.charge.table) || has(self.warning)",
    message: 'a case that is an estimate carries a warning',
  },
  {
    path: CASE,
    rule: "!has(self.charge) || !has(self.charge.table) || has(self.warning) || self.charge.table.rows.all(r, has(r.warning) || (has(r.evidence) ? r.evidence : (has(self.evidence) ? self.evidence : '')) != 'estimate')",
    message: 'a row that is an estimate carries a warning, or its case does',
  },
  {
    path: '.spec.rules[]',
    rule: "self.verification.evidence != 'estimate' || self.cases.all(c, !has(c.charge) || has(c.charge.table) || has(c.warning) || (has(c.evidence) && c.evidence != 'estimate'))",
    message: 'each charge of a rule that is an estimate carries a warning',
  },
  {
    path: '.spec.rules[]',
    rule: '!has(self.cases[self.cases.size() - 1].when)',
    message: 'the last case takes the rest: it has no when',
  },
  {
    path: '.spec.rules[]',
    rule: 'self.cases.filter(c, !has(c.when)).size() <= 1',
    message: 'every case but the last has a when',
  },
  {
    path: '.spec.rules[]',
    rule: 'has(self.basis) || self.cases.all(c, (!has(c.when) || !has(c.when.basis)) && (!has(c.charge) || !(has(c.charge.whole) || has(c.charge.bands) || has(c.charge.interpolate))))',
    message: 'a rule that tests or charges on a basis names it',
  },
  exactlyOne(CHARGE, ['flat', 'whole', 'bands', 'interpolate', 'units', 'table', 'greatestOf']),
  ...proportion(`${CHARGE}.whole`),
  ...bands,
  ...tables,
]
