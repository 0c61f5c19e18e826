import type { UnpricedComponent } from '../answer.ts'
import type { CompiledConcession } from './concessions.ts'
import type { CompiledRule } from './rule.ts'

/** All rules of one component, the highest priority first; those of the set itself before those of its imports. */
export interface CompiledComponent {
  readonly name: string
  readonly slot: number
  readonly rules: readonly CompiledRule[]
  /** Facts that its rules may read, and more names; not those that the lines it needs are computed from. */
  readonly reads: () => ReadonlySet<string>
}

/** One rate set compiled with its imports. */
export interface Program {
  /** RateSet name. */
  readonly name: string
  readonly digest: string
  /** Digests of the imports compiled in, by RateSet name. */
  readonly imports: Readonly<Record<string, string>>
  readonly pricingCode: string
  readonly financialYear: string
  /** In an order in which no component needs a later one. */
  readonly order: readonly CompiledComponent[]
  readonly blank: Blank
  /** Rules that give the request's own lines their id and GST, the highest priority first. */
  readonly lineRules: { readonly dutiable: readonly CompiledRule[]; readonly additional: readonly CompiledRule[] }
  readonly concessions: ReadonlyMap<string, CompiledConcession>
}

/** What a quote begins with, by component slot, in the order of the file, or basis slot: copied, for filling a new array costs more. */
export interface Blank {
  readonly lines: readonly null[]
  readonly cents: number[]
  readonly unpriced: (UnpricedComponent | undefined)[]
  readonly bases: undefined[]
}
