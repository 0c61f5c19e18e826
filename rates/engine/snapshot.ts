import type { RateSetSpec } from './grammar/rate-set.ts'
import { compileSet, type LoadedSet } from './compile/compile.ts'
import type { Program } from './compile/program.ts'
import { refuse } from './compile/scope.ts'
import { summarize, type JurisdictionYear } from './summaries.ts'

/** The unbroken run of years up to the latest; ISO dates, both inclusive. */
export interface SupportedRange {
  readonly start: string
  readonly end: string
  readonly financialYears: readonly string[]
}

/** One quotable pricing code. */
export interface Jurisdiction {
  readonly pricingCode: string
  /** IANA zone of its latest year. */
  readonly timeZone: string
  readonly range: SupportedRange
  /** The years of the range, by financial year such as `2026-2027`. */
  readonly years: Readonly<Record<string, JurisdictionYear>>
}

/** Everything with which one process prices: read-only, and the same throughout a request. */
export interface Snapshot {
  readonly release: string
  /** The jurisdictions that can be quoted, by pricing code. */
  readonly jurisdictions: Readonly<Record<string, Jurisdiction>>
  /** Pricing codes of the release for which not every set could be read; requests for them cannot be answered. */
  readonly unavailable: readonly string[]
  /** Attested digest by RateSet name. */
  readonly digests: Readonly<Record<string, string>>
  /** Compiled sets by RateSet name, including sets that are only imported. */
  readonly programs: Readonly<Record<string, Program>>
  /** The decoded sets, for descriptions; pricing does not use them. */
  readonly specs: readonly RateSetSpec[]
}

/** Compiled sets by RateSet name, of a snapshot that exists or is being built. */
type Compiled = Pick<Snapshot, 'programs'>

/**
 * Compiles each set once, or reuses the program in `previous` when digest and imports are unchanged. Throws Error with
 * the set's name and path.
 */
export function buildSnapshot(
  input: { release: string; sets: LoadedSet[]; unavailable?: readonly string[] },
  previous?: Compiled,
): Snapshot {
  const sets = published(input.sets)
  const programs: Record<string, Program> = {}
  for (const program of compileEach(sets, previous)) programs[program.name] = program
  const years: JurisdictionYear[] = []
  for (const set of sets) {
    if (set.spec.quotable === false) continue
    const imports = importsOf(set, sets).map(({ spec }) => spec)
    years.push(summarize(set.spec, imports, programs[set.name]!))
  }
  return Object.freeze({
    release: input.release,
    jurisdictions: jurisdictionsOf(years),
    unavailable: Object.freeze([...(input.unavailable ?? [])]),
    digests: Object.freeze(Object.fromEntries(sets.map(({ name, digest }) => [name, digest]))),
    programs: Object.freeze(programs),
    specs: Object.freeze(sets.map(({ spec }) => spec)),
  })
}

/**
 * Compiles one set at a time, for a caller that has other work between sets and then passes the programs to
 * `buildSnapshot`.
 */
export function* compileEach(sets: readonly LoadedSet[], previous?: Compiled): Generator<Program> {
  const compiled = published(sets)
  for (const set of compiled) {
    const imports = importsOf(set, compiled)
    yield kept(set, imports, previous) ?? compileSet(set, imports)
  }
}

const published = (sets: readonly LoadedSet[]) => sets.filter(({ spec }) => spec.withdrawn !== true)

function kept(set: LoadedSet, imports: readonly LoadedSet[], previous?: Compiled): Program | undefined {
  const known = previous?.programs[set.name]
  if (known?.digest !== set.digest || Object.keys(known.imports).length !== imports.length) return undefined
  return imports.every(({ name, digest }) => known.imports[name] === digest) ? known : undefined
}

/** The imported sets of the same year, including those that they import. */
function importsOf(set: LoadedSet, sets: readonly LoadedSet[], found: LoadedSet[] = []): LoadedSet[] {
  const { imports, financialYear } = set.spec
  for (const code of imports ?? []) {
    const next = sets.find(({ spec }) => spec.pricingCode === code && spec.financialYear === financialYear)
    if (!next) return refuse({ scope: { set: set.name }, path: 'imports' }, `there is no ${code} for ${financialYear}`)
    if (found.includes(next) || next.name === set.name) continue
    found.push(next)
    importsOf(next, sets, found)
  }
  return found
}

function jurisdictionsOf(years: readonly JurisdictionYear[]): Readonly<Record<string, Jurisdiction>> {
  const codes = [...new Set(years.map(({ program }) => program.pricingCode))]
  const yearsOf = (code: string) => years.filter(({ program }) => program.pricingCode === code)
  return Object.freeze(Object.fromEntries(codes.map((code) => [code, jurisdictionOf(code, yearsOf(code))])))
}

function jurisdictionOf(pricingCode: string, years: readonly JurisdictionYear[]): Jurisdiction {
  const sorted = years.toSorted((a, b) => (a.financialYear < b.financialYear ? -1 : 1))
  let first = sorted.length - 1
  while (first > 0 && sorted[first - 1]?.financialYear.slice(5) === sorted[first]?.financialYear.slice(0, 4)) first--
  const run = sorted.slice(first)
  const latest = run.at(-1)
  return deepFreeze({
    pricingCode,
    timeZone: latest?.timeZone ?? '',
    range: {
      start: run[0]?.startDate ?? '',
      end: latest?.endDate ?? '',
      financialYears: run.map(({ financialYear }) => financialYear),
    },
    years: Object.fromEntries(run.map((year) => [year.financialYear, year])),
  })
}

/** Freezes data deeply. An object that is already frozen, such as a compiled program, is left as it is. */
function deepFreeze<T extends object>(value: T): T {
  Object.freeze(value)
  for (const each of Object.values(value) as unknown[]) {
    if (typeof each === 'object' && each !== null && !Object.isFrozen(each)) deepFreeze(each)
  }
  return value
}
