import { candidatesOf, type Candidates } from './candidates.ts'
import type { RateSetSpec } from '../grammar/rate-set.ts'

/** Returns a function that collects, on its first call, the values that the class can tell apart. */
export const ofClass = (name: string, specs: readonly RateSetSpec[]): (() => Candidates) =>
  once(() => candidatesOf(withNamed([{ class: [name] }], specs)))

/**
 * Returns a function that collects, on its first call, the values that the rules of a component and the concessions on
 * it can tell apart.
 */
export const ofComponent = (component: string, specs: readonly RateSetSpec[]): (() => Candidates) =>
  once(() => {
    const [{ rules, concessions = [], missing = [] } = { rules: [] }] = specs
    const adjustments = concessions.flatMap(({ adjustments: list }) => list)
    const parts = [
      ...rules.filter((rule) => rule.component === component),
      ...adjustments.filter((one) => one.basis !== undefined || one.component === component),
      // Entries add no classes here: the rules themselves name every class that they ask for.
      ...missing.flatMap(({ when }) => when ?? []),
    ]
    return candidatesOf(withNamed(parts, specs))
  })

/**
 * Returns a function that collects, on its first call, every name that the rules of a component read, directly or
 * through other names; facts are among these names.
 */
export const readBy = (component: string, specs: readonly RateSetSpec[]): (() => ReadonlySet<string>) =>
  once(() => {
    const parts = specs.flatMap(({ rules, concessions = [] }) => [
      ...rules.filter((rule) => rule.component === component),
      ...concessions.flatMap(({ adjustments }) => adjustments).filter((one) => one.component === component),
    ])
    return namesFrom(parts, specs)
  })

/**
 * Whether what a component comes to can change with the lines of the request; `changing` has the components, among
 * those that it needs, that do.
 */
export const readsLines = (
  { reads }: { readonly reads: () => ReadonlySet<string> },
  changing: ReadonlySet<string>,
): boolean =>
  [...reads()].some((name) =>
    name.startsWith('line:') ? changing.has(name.slice(5)) : LINES.has(name) || /^(kind|alone):/.test(name),
  )

const LINES: ReadonlySet<string> = new Set(['dutiable', 'ofLines'])

/** All names in the parts, in the definitions of these names, and in the entries about them. */
function namesFrom(parts: readonly unknown[], specs: readonly RateSetSpec[]): ReadonlySet<string> {
  const defined = definitionsIn(specs)
  const names = new Set<string>()
  for (const part of parts) namesAndKeysIn(part, names)
  // Iteration over a set includes the names that are added during the iteration.
  for (const name of names) for (const part of defined.get(name) ?? []) namesAndKeysIn(part, names)
  if (names.has('terms') || names.has('termScale')) names.add('termMonths')
  if (names.has('zone')) names.add('postcode')
  return names
}

/**
 * Returns a function that collects, on its first call, every name that a class reads, directly or through other names.
 */
export const readByClass = (name: string, specs: readonly RateSetSpec[]): (() => ReadonlySet<string>) =>
  once(() => namesFrom([{ class: [name] }], specs))

/** The definitions of each name, the entries about it, and the adjustments of concessions on it. */
function definitionsIn(specs: readonly RateSetSpec[]): Map<string, unknown[]> {
  const named = specs.flatMap(({ rules, classes = [], bases = [], derivedFacts = [] }) => [
    ...[...classes, ...bases, ...derivedFacts].map((part) => [part.name, part] as const),
    // `alone:` computes a component again without some lines, so it depends on the rules of that component.
    ...rules.map((rule) => [`alone:${rule.component}`, rule] as const),
  ])
  const entries = specs.flatMap(({ missing = [] }) =>
    missing.map((part) => [part.fact ?? part.class ?? part.zone, part] as const),
  )
  const adjusted = specs.flatMap(({ concessions = [] }) =>
    concessions.flatMap(({ adjustments }) => adjustments.map((part) => [part.basis, part] as const)),
  )
  const found = new Map<string, unknown[]>()
  for (const [name = '', part] of [...named, ...entries, ...adjusted])
    found.set(name, [...(found.get(name) ?? []), part])
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

/** Calls `make` on the first call only, and returns that result from then on. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** The parts, and the classes, bases and derived facts that they name, directly or through each other. */
function withNamed(parts: readonly unknown[], specs: readonly RateSetSpec[]): unknown[] {
  const definitions = specs.flatMap(({ classes = [], bases = [], derivedFacts = [] }) => [
    ...classes,
    ...bases,
    ...derivedFacts,
  ])
  const found = new Set<unknown>(parts)
  // Iteration over a set includes the parts that are added during the iteration.
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
