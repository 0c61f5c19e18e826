import type { UnpricedComponent } from '../answer.ts'
import type { CompiledConcession } from './concessions.ts'
import type { CompiledRule } from './rule.ts'

/**
 * All rules of one component, highest priority first; at equal priority the set's own rules come before those of its
 * imports.
 */
export interface CompiledComponent {
  readonly name: string
  readonly slot: number
  readonly rules: readonly CompiledRule[]
  /** The facts that its rules may read, among other names; excludes the facts behind the lines of other components. */
  readonly reads: () => ReadonlySet<string>
}

/** One rate set compiled with its imports. */
export interface Program {
  /** RateSet name. */
  readonly name: string
  readonly digest: string
  /** Digests of the compiled imports, by RateSet name. */
  readonly imports: Readonly<Record<string, string>>
  readonly pricingCode: string
  readonly financialYear: string
  /** The components in an order in which each comes after those that it needs. */
  readonly order: readonly CompiledComponent[]
  readonly blank: Blank
  /** Rules that give the request's own lines their id and GST, highest priority first. */
  readonly lineRules: { readonly dutiable: readonly CompiledRule[]; readonly additional: readonly CompiledRule[] }
  readonly concessions: ReadonlyMap<string, CompiledConcession>
}

/**
 * The initial values of a quote, by component slot (in file order) or by basis slot. They are copied, because filling a
 * new array costs more.
 */
export interface Blank {
  readonly lines: readonly null[]
  readonly cents: number[]
  readonly unpriced: (UnpricedComponent | undefined)[]
  readonly bases: undefined[]
}
