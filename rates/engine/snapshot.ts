import type { RateSetSpec } from './grammar/rate-set.ts'
import { compileSet, type LoadedSet } from './compile/compile.ts'
import type { Program } from './compile/program.ts'
import { refuse } from './compile/scope.ts'
import { summarize, type JurisdictionYear } from './summaries.ts'

/** The unbroken run of years that ends with the latest; ISO dates, both inclusive. */
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
  /** By financial year, `2026-2027`; only the years of the range. */
  readonly years: Readonly<Record<string, JurisdictionYear>>
}

/** Everything that one process prices with: read-only, and the same for the whole of a request. */
export interface Snapshot {
  readonly release: string
  /** By pricing code; quotable ones only. */
  readonly jurisdictions: Readonly<Record<string, Jurisdiction>>
  /** Pricing codes of the release of which not every set could be read: none of their requests can be answered. */
  readonly unavailable: readonly string[]
  /** Attested digest by RateSet name. */
  readonly digests: Readonly<Record<string, string>>
  /** Compiled sets by RateSet name, those that are only imported too. */
  readonly programs: Readonly<Record<string, Program>>
  /** The sets as they were read, for what is said of them and not priced with them. */
  readonly specs: readonly RateSetSpec[]
}

/** Compiled sets by RateSet name, of a snapshot or of one to be. */
type Compiled = Pick<Snapshot, 'programs'>

/** Compiles each set once, or takes it from `previous` where its digest and imports are unchanged; throws Error with the set's name and path. */
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

/** The same one set at a time, for a caller that has other work too and hands the programs to `buildSnapshot` in the end. */
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

/** The imported sets of the same year, those that they import too. */
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

/** Freezes data all the way down; what is frozen already, a compiled program for one, is left as it is. */
function deepFreeze<T extends object>(value: T): T {
  Object.freeze(value)
  for (const each of Object.values(value) as unknown[]) {
    if (typeof each === 'object' && each !== null && !Object.isFrozen(each)) deepFreeze(each)
  }
  return value
}
