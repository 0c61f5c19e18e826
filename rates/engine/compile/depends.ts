import { candidatesOf, type Candidates } from './candidates.ts'
import type { RateSetSpec } from '../grammar/rate-set.ts'

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

/** Collects on the first call the names that the rules of a component read, and what they name: facts among them. */
export const readBy = (component: string, specs: readonly RateSetSpec[]): (() => ReadonlySet<string>) =>
  once(() => {
    const parts = specs.flatMap(({ rules, concessions = [] }) => [
      ...rules.filter((rule) => rule.component === component),
      ...concessions
        .flatMap(({ adjustments }) => adjustments)
        .filter((one) => one.basis !== undefined || one.component === component),
    ])
    return namesFrom(parts, specs)
  })

/** All names in the parts, in what they name, and in the entries about what they name. */
function namesFrom(parts: readonly unknown[], specs: readonly RateSetSpec[]): ReadonlySet<string> {
  const defined = definitionsIn(specs)
  const names = new Set<string>()
  for (const part of parts) namesAndKeysIn(part, names)
  // A set that grows while it is walked is walked to its end.
  for (const name of names) for (const part of defined.get(name) ?? []) namesAndKeysIn(part, names)
  if (names.has('terms') || names.has('termScale')) names.add('termMonths')
  if (names.has('zone')) names.add('postcode')
  return names
}

/** Collects on the first call the names that a class reads, and those that these name. */
export const readByClass = (name: string, specs: readonly RateSetSpec[]): (() => ReadonlySet<string>) =>
  once(() => namesFrom([{ class: [name] }], specs))

/** What has a name, and the entries by the name that they are about. */
function definitionsIn(specs: readonly RateSetSpec[]): Map<string, unknown[]> {
  const named = specs.flatMap(({ rules, classes = [], bases = [], derivedFacts = [] }) => [
    ...[...classes, ...bases, ...derivedFacts].map((part) => [part.name, part] as const),
    // What a component would be without some lines is computed anew.
    ...rules.map((rule) => [`alone:${rule.component}`, rule] as const),
  ])
  const entries = specs.flatMap(({ missing = [] }) =>
    missing.map((part) => [part.fact ?? part.class ?? part.zone, part] as const),
  )
  const found = new Map<string, unknown[]>()
  for (const [name = '', part] of [...named, ...entries]) found.set(name, [...(found.get(name) ?? []), part])
  return found
}

function namesAndKeysIn(part: unknown, names: Set<string>): void {
  if (typeof part === 'string') names.add(part.replace('basis:', ''))
  if (typeof part !== 'object' || part === null) return
  for (const [key, each] of Object.entries(part)) {
    names.add(key)
    namesAndKeysIn(each, names)
  }
}

/** Makes it on the first call. */
export function once<T>(make: () => T): () => T {
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
  if (typeof part === 'string') names.add(part.replace('basis:', ''))
  else if (typeof part === 'object' && part !== null) for (const each of Object.values(part)) namesIn(each, names)
  return names
}
