import type { Fault } from '../engine/fault.ts'
import type { Condition } from '../engine/grammar/condition.ts'
import { casesOf, rulesOf } from './parts.ts'
import type { Check, Subject } from './subject.ts'
import { atomsOf, type Atom, type Truth } from './vehicle-space.ts'

/** A test in the form that can be tried: all of its parts hold, or any of them does. */
type Formula = { all: Formula[] } | { any: Formula[] } | { not: Formula } | { atom: Atom }

const EVERYTHING: Formula = { all: [] }
// A search that has tried this many vehicles gives the case the benefit of the doubt.
const MOST_TRIED = 20_000

/** Some vehicle, at some price, reaches each case: the cases before it leave it something. */
export const casesReached: Check = (subject) =>
  rulesOf(subject.spec).flatMap((rule): Fault[] => {
    const day = rule.value.startDate ?? subject.year.start
    const read = (when: Condition | undefined) => (when ? formulaOf(when, subject, day) : EVERYTHING)
    const gate = read(rule.value.when)
    if (!canHold(gate))
      return [{ check: 'cases-reached', path: `${rule.path}.when`, message: 'no vehicle meets this condition' }]
    const cases = casesOf(rule)
    const tests = cases.map(({ value }) => read(value.when))
    return cases.flatMap(({ path }, position) => {
      const before = tests.slice(0, position).map((test): Formula => ({ not: test }))
      if (canHold({ all: [gate, tests[position]!, ...before] })) return []
      const message = canHold({ all: [gate, tests[position]!] })
        ? 'the cases before it take everything that it would match'
        : 'no vehicle that the rule applies to meets this condition'
      return [{ check: 'cases-reached', path, message }]
    })
  })

function formulaOf(condition: Condition, subject: Subject, day: string): Formula {
  const ofClass = (name: string): Formula => ({
    any: (subject.spec.classes?.find((one) => one.name === name)?.anyOf ?? []).map((test) =>
      formulaOf(test, subject, day),
    ),
  })
  return {
    all: [
      ...atomsOf(condition, subject, day).map((atom): Formula => ({ atom })),
      ...(condition.class ?? []).map(ofClass),
      ...(condition.not ?? []).map((name): Formula => ({ not: ofClass(name) })),
    ],
  }
}

type Vehicle = Map<string, unknown>

function truthOf(formula: Formula, vehicle: Vehicle): Truth {
  if ('atom' in formula) {
    const { variable, holds } = formula.atom
    return vehicle.has(variable) ? holds(vehicle.get(variable)) : undefined
  }
  if ('not' in formula) {
    const truth = truthOf(formula.not, vehicle)
    return truth === undefined ? undefined : !truth
  }
  const [parts, settles] = 'all' in formula ? [formula.all, false] : [formula.any, true]
  let open = false
  for (const part of parts) {
    const truth = truthOf(part, vehicle)
    if (truth === settles) return settles
    open ||= truth === undefined
  }
  return open ? undefined : !settles
}

/** Whether some vehicle makes a formula true; what stays open with every variable chosen counts as true. */
function canHold(formula: Formula): boolean {
  const domains = [...domainsOf(formula)]
  let tried = 0
  const search = (vehicle: Vehicle, position: number): boolean => {
    const truth = truthOf(formula, vehicle)
    if (truth !== undefined) return truth
    if (position === domains.length || ++tried > MOST_TRIED) return true
    const [variable, values] = domains[position]!
    return [...values.values()].some((value) => search(new Map(vehicle).set(variable, value), position + 1))
  }
  return search(new Map(), 0)
}

/** The values worth trying of each variable, by the text that tells them apart. */
function domainsOf(
  formula: Formula,
  domains = new Map<string, Map<string, unknown>>(),
): Map<string, Map<string, unknown>> {
  if ('atom' in formula) {
    const { variable, values } = formula.atom
    const domain = domains.get(variable) ?? new Map<string, unknown>()
    for (const value of values) domain.set(typeof value === 'object' ? JSON.stringify(value) : String(value), value)
    domains.set(variable, domain)
  } else if ('not' in formula) domainsOf(formula.not, domains)
  else for (const part of 'all' in formula ? formula.all : formula.any) domainsOf(part, domains)
  return domains
}
