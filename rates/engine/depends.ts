import { candidatesOf, type Candidates } from './candidates.ts'
import type { RateSetSpec } from './grammar/rate-set.ts'

/** Collects on the first call what the class can tell apart. */
export const ofClass = (name: string, specs: readonly RateSetSpec[]): (() => Candidates) =>
  once(() => candidatesOf(withNamed([{ class: [name] }], specs)))

/** Collects on the first call what the rules of a component can tell apart, with the concessions that may change them. */
export const ofComponent = (component: string, specs: readonly RateSetSpec[]): (() => Candidates) =>
  once(() => {
    const [{ rules, concessions = [], missing = [] } = { rules: [] }] = specs
    const adjustments = concessions.flatMap(({ adjustments: list }) => list)
    const parts = [
      ...rules.filter((rule) => rule.component === component),
      ...adjustments.filter((one) => one.basis !== undefined || one.component === component),
      // Which classes have an entry does not matter: those that the rules ask for are named by the rules.
      ...missing.flatMap(({ when }) => when ?? []),
    ]
    return candidatesOf(withNamed(parts, specs))
  })

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The parts with the classes, bases and derived facts that they name, and those that these name. */
function withNamed(parts: readonly unknown[], specs: readonly RateSetSpec[]): unknown[] {
  const definitions = specs.flatMap(({ classes = [], bases = [], derivedFacts = [] }) => [
    ...classes,
    ...bases,
    ...derivedFacts,
  ])
  const found = new Set<unknown>(parts)
  // A set that grows while it is walked is walked to its end.
  for (const part of found) {
    const names = namesIn(part)
    for (const each of definitions) if (names.has(each.name)) found.add(each)
  }
  return [...found]
}

function namesIn(part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part === 'string') names.add(part.startsWith('basis:') ? part.slice('basis:'.length) : part)
  else if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) namesIn(each, names)
  return names
}
