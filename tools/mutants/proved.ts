import type { Formula } from '#rates/checks/formula.ts'
import type { Condition } from '#rates/engine/grammar/condition.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { eachPostcode, neighbours, valueAt, type Difference, type Place, type Proof } from './difference.ts'
import type { Mutation } from './mutations.ts'
import { UNSEEN } from './unseen.ts'
import { anyVehicle, formulasOf as formulasOn } from './vehicles.ts'

/** Why no quote can distinguish a mutant from its set; undefined when that is not proved. */
export function provedEquivalent(
  { spec, mutant, imports }: Pick<Difference, 'spec' | 'mutant' | 'imports'>,
  { place, operator }: Pick<Mutation, 'place' | 'operator'>,
): string | undefined {
  const [, at] = /^swap of (\d+)/.exec(operator) ?? []
  const difference = { spec, mutant, imports, place, swapped: at === undefined ? undefined : Number(at) }
  for (const proof of at === undefined ? CHANGES : SWAPS) {
    const reason = proof(difference)
    if (reason) return reason
  }
  return undefined
}

function formulasOf({ imports, place }: Difference, spec: RateSetSpec) {
  return formulasOn(spec, imports, place[0] === 'rules' ? spec.rules[Number(place[1])]?.startDate : undefined)
}

const alternatives: Proof = ({ place }) =>
  place.at(-1) === 'anyOf' ? 'The alternatives of a class have no order.' : undefined

const casesApart: Proof = (difference) => {
  const { spec, place } = difference
  if (place.at(-1) !== 'cases') return undefined
  const [first, second] = neighbours<{ when?: Condition; exempt?: { line: string } }>(difference)
  if (first.exempt?.line === 'omit' && second.exempt?.line === 'omit') return 'Neither case gives a line.'
  const formulas = formulasOf(difference, spec)
  const gate = place[0] === 'rules' ? formulas.of(spec.rules[Number(place[1])]?.when) : formulas.of(undefined)
  const both = [gate, formulas.of(first.when), formulas.of(second.when), ...noneBefore(difference)]
  return anyVehicle(both, spec) ? undefined : 'No vehicle meets both cases.'
}

/** None of the cases before the swapped ones applies. */
function noneBefore(difference: Difference): Formula[] {
  const { spec, place, swapped = 0 } = difference
  const formulas = formulasOf(difference, spec)
  const cases = valueAt(spec, place) as { when?: Condition }[]
  return cases.slice(0, swapped).map(({ when }) => formulas.not(when))
}

interface Row {
  zone?: string
  class?: string
}

const rowsApart: Proof = (difference) => {
  const { place, spec } = difference
  if (place.at(-1) !== 'rows') return undefined
  const [first, second] = neighbours<Row>(difference)
  if (first.zone && second.zone && first.zone !== second.zone) return 'A row is found by its zone.'
  if (sayTheSame(first, second)) return 'Both rows say the same.'
  const formulas = formulasOf(difference, spec)
  const classed = ({ class: name }: Row): Formula[] => (name === undefined ? [] : [formulas.of({ class: [name] })])
  if (!first.class || !second.class) return undefined
  const rows = valueAt(spec, place) as Row[]
  const above = rows.slice(0, difference.swapped).flatMap((row) => classed(row).map((formula) => ({ not: formula })))
  const both = [...classed(first), ...classed(second), ...above, ...aroundCase(difference, place.slice(0, 4), true)]
  return anyVehicle(both, spec) ? undefined : 'No vehicle is of both classes.'
}

const sayTheSame = ({ class: _one, ...first }: Row, { class: _other, ...second }: Row) =>
  JSON.stringify(first) === JSON.stringify(second)

const zonesApart: Proof = (difference) => {
  const { place } = difference
  if (place[0] !== 'zones' || place.at(-1) !== 'values') return undefined
  const [first, second] = neighbours<{ postcodes: string[] }>(difference).map(
    ({ postcodes }) => new Set(postcodes.flatMap(eachPostcode)),
  ) as [Set<number>, Set<number>]
  return first.isDisjointFrom(second) ? 'No postcode is in both zones.' : undefined
}

interface Missing {
  fact?: string
  class?: string
  zone?: string
  when?: Condition
}

const missingOfOthers: Proof = (difference) => {
  if (difference.place.at(-1) !== 'missing') return undefined
  const [first, second] = neighbours<Missing>(difference)
  const [one, other] = [first, second].map(({ fact, class: name, zone }) => `${fact} ${name} ${zone}`)
  if (one !== other) return 'The entries are about different facts; each is looked up by its own.'
  const formulas = formulasOf(difference, difference.spec)
  const both = [formulas.of(first.when), formulas.of(second.when)]
  return anyVehicle(both, difference.spec) ? undefined : 'No vehicle meets the conditions of both.'
}

interface Adjusted {
  component?: string
  basis?: string
  startDate?: string
  endDate?: string
  when?: Condition
}

const adjustmentsOfOthers: Proof = (difference) => {
  if (difference.place.at(-1) !== 'adjustments') return undefined
  const [first, second] = neighbours<Adjusted>(difference)
  const isSame = first.component === second.component && first.basis === second.basis
  if (!isSame) return 'The adjustments are of different components.'
  if (before(first, second) || before(second, first)) return 'No day has both adjustments.'
  const formulas = formulasOf(difference, difference.spec)
  const both = [formulas.of(first.when), formulas.of(second.when)]
  return anyVehicle(both, difference.spec) ? undefined : 'No vehicle has both adjustments.'
}

const before = ({ endDate = '9999' }: Adjusted, { startDate = '' }: Adjusted) => endDate < startDate

/** The condition that a mutation changed, in the set and in the mutant; for a class, all its alternatives. */
function changedCondition({ place }: Difference): { place: Place; isClass: boolean } | undefined {
  if (place[0] === 'classes' && place[2] === 'anyOf') return { place: place.slice(0, 2), isClass: true }
  const at = place.lastIndexOf('when')
  return at < 0 || place.includes('missing') ? undefined : { place: place.slice(0, at + 1), isClass: false }
}

const conditionsAlike: Proof = (difference) => {
  const changed = changedCondition(difference)
  if (!changed) return undefined
  const [was, is] = [difference.spec, difference.mutant].map((spec) => {
    const found = valueAt(spec, changed.place)
    const condition = changed.isClass ? { class: [(found as { name: string }).name] } : (found as Condition | undefined)
    return formulasOf(difference, spec).of(condition)
  }) as [Formula, Formula]
  const apart: Formula = {
    any: [{ all: [was, { not: is }] }, { all: [is, { not: was }] }],
  }
  const reached = [apart, ...aroundCase(difference, changed.place, false)]
  return anyVehicle(reached, difference.spec) ? undefined : 'No vehicle tells the two conditions apart.'
}

/**
 * What holds when a rule's case is considered: the condition of the rule, none of the earlier cases and, if `within`,
 * the condition of the case.
 */
function aroundCase(difference: Difference, [root, rule, list, position]: Place, within: boolean): Formula[] {
  if (root !== 'rules' || list !== 'cases') return []
  const formulas = formulasOf(difference, difference.spec)
  const { when, cases } = difference.spec.rules[Number(rule)]!
  const earlier = cases.slice(0, Number(position)).map((each) => formulas.not(each.when))
  return [formulas.of(when), ...earlier, ...(within ? [formulas.of(cases[Number(position)]?.when)] : [])]
}

const SWAPS: readonly Proof[] = [alternatives, casesApart, rowsApart, zonesApart, missingOfOthers, adjustmentsOfOthers]
const CHANGES: readonly Proof[] = [...UNSEEN, conditionsAlike]
