import type { Fault } from './fault.ts'
import { NEVER_MISSING } from '../engine/grammar/facts.ts'
import type { Missing, Rule } from '../engine/grammar/rule.ts'
import { casesOf, rulesOf } from './parts.ts'
import {
  guardedBy,
  openScope,
  readingsOfBasis,
  readingsOfCharge,
  readingsOfCondition,
  type FactReading,
} from './readings.ts'
import { entries, optional, type At, type Check, type Subject } from './subject.ts'

/**
 * Every optional fact that a rule reads is tested for presence, or has a `missing` entry without `when`: for the fact,
 * for a class through which it is read, or for the zone list. A fact in the `when` of a missing entry may be unknown,
 * because the entry is then skipped. When a concession adjusts a line of an import, the rule of that line declares what
 * the concession reads.
 */
export const missingDeclared: Check = (subject) => [
  ...rulesOf(subject.spec).flatMap((rule) => undeclared(rule, readingsOf(rule, subject), subject.spec)),
  ...subject.imports.flatMap((spec) =>
    rulesOf(spec).flatMap(({ value }) => {
      const rule = { path: 'concessions', value }
      return undeclared(rule, adjustmentReadings(rule, openScope(subject.spec)), spec)
    }),
  ),
]

function undeclared(rule: At<Rule>, readings: readonly FactReading[], { missing = [] }: Subject['spec']): Fault[] {
  const declared = [...(rule.value.missing ?? []), ...missing].filter(({ when }) => when === undefined)
  const open = readings.filter((reading) => !isDeclared(reading, declared))
  const first = new Map(open.toReversed().map((reading) => [reading.name, reading]))
  return open.filter((reading) => first.get(reading.name) === reading).map(faultOf(rule))
}

function readingsOf(rule: At<Rule>, { spec }: Subject): FactReading[] {
  const scope = openScope(spec)
  const inside = guardedBy(rule.value.when, scope)
  return [
    ...optional(`${rule.path}.when`, rule.value.when).flatMap((when) => readingsOfCondition(when, scope)),
    ...casesOf(rule).flatMap(({ path, value }) =>
      optional(`${path}.when`, value.when).flatMap((when) => readingsOfCondition(when, inside)),
    ),
    ...(rule.value.basis === undefined ? [] : readingsOfBasis(rule.value.basis, inside)),
    ...casesOf(rule).flatMap(({ path, value }) =>
      optional(`${path}.charge`, value.charge).flatMap((charge) =>
        readingsOfCharge(charge, guardedBy(value.when, inside)),
      ),
    ),
    ...adjustmentReadings(rule, inside),
  ]
}

function adjustmentReadings(rule: At<Rule>, scope: ReturnType<typeof openScope>): FactReading[] {
  const inside = basesOf(rule.value, scope.spec)
  return entries('concessions', scope.spec.concessions).flatMap(({ path, value }) =>
    entries(`${path}.adjustments`, value.adjustments)
      .filter(({ value: { component, basis } }) => component === rule.value.component || inside.has(basis ?? ''))
      .flatMap((one) =>
        optional(`${one.path}.when`, one.value.when).flatMap((when) => readingsOfCondition(when, scope)),
      ),
  )
}

/** The basis of a rule, and the bases from which it is computed. */
function basesOf({ basis }: Rule, { bases = [] }: Subject['spec']): Set<string> {
  const found = new Set(basis === undefined ? [] : [basis])
  // Iteration over a set includes the names that are added during the iteration.
  for (const name of found) {
    const { cases = [] } = bases.find((one) => one.name === name) ?? {}
    const terms = cases.flatMap(({ sum, greatest, firstPresent, minus }) => [sum, greatest, firstPresent, minus])
    for (const term of terms.flatMap((list) => list ?? []))
      if (term.startsWith('basis:')) found.add(term.slice('basis:'.length))
  }
  return found
}

function isDeclared({ kind, name, classes }: FactReading, declared: Missing[]): boolean {
  if (kind === 'zone') return declared.some(({ zone }) => zone === name) || byClass(classes, declared)
  const never = (NEVER_MISSING as readonly string[]).includes(name)
  return never || declared.some(({ fact }) => fact === name) || byClass(classes, declared)
}

const byClass = (classes: string[], declared: Missing[]) =>
  declared.some((entry) => classes.includes(entry.class ?? ''))

const faultOf =
  (rule: At<Rule>) =>
  ({ kind, name, path }: FactReading): Fault => {
    const what =
      kind === 'zone'
        ? `the zone of ${name}, and a postcode may be absent or match nothing`
        : `${name}, which a request may leave out`
    const remedy = `add { ${kind}: ${name}, assume, unpriced or reject } without when to missing`
    const guard = kind === 'zone' ? '' : `, or test present: [${name}]`
    return {
      check: 'missing-declared',
      path: rule.path,
      message: `${rule.value.component} reads ${what} (${path}): ${remedy}${guard}`,
    }
  }
