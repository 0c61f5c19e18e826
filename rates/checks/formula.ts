import type { Condition } from '../engine/grammar/condition.ts'
import type { Subject } from './subject.ts'
import { atomsOf, type Atom, type Truth } from './vehicle-space.ts'

/** A test in a form that can be searched: all of its parts hold, or any of them does. */
export type Formula = { all: Formula[] } | { any: Formula[] } | { not: Formula } | { atom: Atom }

/** How many tests a search may still evaluate; one budget serves all rules and cases of a set. */
export interface Budget {
  tests: number
}

export const EVERYTHING: Formula = { all: [] }

/** Compiles the conditions of a set on one day to formulas; each class is compiled once, however often it is named. */
export function createFormulas(subject: Subject, day: string) {
  const classes = new Map<string, Formula>()
  const of = (condition: Condition | undefined): Formula => {
    if (!condition) return EVERYTHING
    return {
      all: [
        ...atomsOf(condition, subject, day).map((atom): Formula => ({ atom })),
        ...(condition.class ?? []).map(ofClass),
        ...(condition.not ?? []).map((name): Formula => ({ not: ofClass(name) })),
      ],
    }
  }
  const ofClass = (name: string): Formula => {
    const known = classes.get(name)
    if (known) return known
    const found = subject.spec.classes?.find((one) => one.name === name)
    const formula: Formula = { any: (found?.anyOf ?? []).map(of) }
    classes.set(name, formula)
    return formula
  }
  return { of }
}

type Vehicle = Map<string, unknown>

function tryFormula(formula: Formula, vehicle: Vehicle, budget: Budget): Truth {
  budget.tests -= 1
  if ('atom' in formula) {
    const { variable, holds } = formula.atom
    return vehicle.has(variable) ? holds(vehicle.get(variable)) : undefined
  }
  if ('not' in formula) {
    const truth = tryFormula(formula.not, vehicle, budget)
    return truth === undefined ? undefined : !truth
  }
  const [parts, settles] = 'all' in formula ? [formula.all, false] : [formula.any, true]
  let open = false
  for (const part of parts) {
    const truth = tryFormula(part, vehicle, budget)
    if (truth === settles) return settles
    open ||= truth === undefined
  }
  return open ? undefined : !settles
}

// After this many vehicles, the search assumes that the case is reached.
const MOST_TRIED = 20_000

/**
 * Whether some vehicle makes a formula true; a formula still undecided when every variable has a value counts as true.
 */
export function canHold(formula: Formula, budget: Budget): boolean {
  if (budget.tests <= 0) return true
  const domains = [...domainsOf(formula)]
  const vehicle: Vehicle = new Map()
  let tried = 0
  const search = (position: number): boolean => {
    const truth = tryFormula(formula, vehicle, budget)
    if (truth !== undefined) return truth
    if (position === domains.length || ++tried > MOST_TRIED || budget.tests <= 0) return true
    const [variable, values] = domains[position]!
    for (const value of values.values()) {
      vehicle.set(variable, value)
      if (search(position + 1)) return true
    }
    vehicle.delete(variable)
    return false
  }
  return search(0)
}

/** The values of each variable that are worth trying, by the text that distinguishes them. */
function domainsOf(formula: Formula): Map<string, Map<string, unknown>> {
  const domains = new Map<string, Map<string, unknown>>()
  const read = new Set<Formula>()
  const visit = (part: Formula): void => {
    if (read.has(part)) return
    read.add(part)
    if ('atom' in part) takeValues(part.atom, domains)
    else if ('not' in part) visit(part.not)
    else for (const each of 'all' in part ? part.all : part.any) visit(each)
  }
  visit(formula)
  return domains
}

function takeValues({ variable, values }: Atom, domains: Map<string, Map<string, unknown>>): void {
  const domain = domains.get(variable) ?? new Map<string, unknown>()
  for (const value of values) domain.set(keyOf(value), value)
  domains.set(variable, domain)
}

/** Exact numbers beyond 2^53 contain BigInts, which JSON cannot represent. */
const keyOf = (value: unknown): string =>
  typeof value === 'object'
    ? JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
    : String(value)
