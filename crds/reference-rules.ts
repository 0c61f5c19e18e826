import type { PlacedRule } from './attach.ts'

const spec = (rule: string, message: string): PlacedRule => ({ path: '.spec', rule, message })

// sets.contains over mapped names: the server's cost estimate for nested exists() is 2 to 4 times its limit.
const classNames = '(has(self.classes) ? self.classes.map(k, k.name) : [])'
const sourceNames = 'self.sources.map(k, k.name)'

/**
 * Names used in one part of a set are defined in another. Classes within classes and parameters are left to the
 * operator.
 */
export const REFERENCE_RULES: PlacedRule[] = [
  spec(
    `self.rules.all(r, sets.contains(${sourceNames}, r.verification.sources))`,
    'expected sources of this set in verification.sources',
  ),
  spec(
    `!has(self.parameters) || self.parameters.all(p, p.values.all(v, sets.contains(${sourceNames}, v.sources)))`,
    'expected sources of this set in the values of parameters',
  ),
  spec(
    `!has(self.concessions) || self.concessions.all(c, sets.contains(${sourceNames}, c.sources))`,
    'expected sources of this set in concessions',
  ),
  spec(
    `!has(self.examples) || self.examples.all(e, self.sources.exists(s, s.name == e.source.name))`,
    'expected a source of this set in each example',
  ),
  spec(
    `self.rules.all(r, !has(r.when) || !has(r.when.class) || sets.contains(${classNames}, r.when.class))`,
    'expected classes of this set in the when of a rule',
  ),
  spec(
    `self.rules.all(r, r.cases.all(c, !has(c.when) || !has(c.when.class) || sets.contains(${classNames}, c.when.class)))`,
    'expected classes of this set in the when of a case',
  ),
  spec(
    `self.rules.all(r, r.cases.all(c, !has(c.charge) || !has(c.charge.table) || !has(c.charge.table.columns) || sets.contains(${classNames}, c.charge.table.columns)))`,
    'expected classes of this set as the columns of a table',
  ),
  spec(
    'self.rules.all(r, !has(r.basis) || (has(self.bases) && self.bases.exists(b, b.name == r.basis)))',
    'expected a basis of this set in each rule',
  ),
  spec(
    'self.rules.all(r, !has(r.termScale) || (has(self.termScales) && self.termScales.exists(s, s.name == r.termScale)))',
    'expected a term scale of this set in each rule',
  ),
  spec(
    '!has(self.offers) || self.rules.all(r, !has(r.terms) || self.offers.terms.all(t, r.terms.exists(x, x.months == t)))',
    'a rule with terms has one for each term that is offered',
  ),
  spec(
    '!has(self.concessions) || has(self.imports) || self.concessions.all(c, c.adjustments.all(a, !has(a.component) || self.rules.exists(r, r.component == a.component)))',
    'expected a component of this set in each adjustment, where the set imports none',
  ),
  spec(
    '!has(self.concessions) || self.concessions.all(c, c.adjustments.all(a, !has(a.basis) || (has(self.bases) && self.bases.exists(b, b.name == a.basis))))',
    'expected a basis of this set in each adjustment',
  ),
]
