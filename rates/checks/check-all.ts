import { RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { LocatedFault } from '../files/located.ts'
import type { RateSetFile } from '../files/rate-set-file.ts'
import { checkRateSet } from './check-rate-set.ts'
import { schemaFaults } from './schema.ts'

/**
 * All faults of files that are checked together. Imports are found by pricing code and year, also in the files `beside`
 * them, whose own faults are not reported. Each set may be in one file only.
 */
export function checkAll(files: readonly RateSetFile[], beside: readonly RateSetFile[] = []): LocatedFault[] {
  const known = [...files, ...beside]
  return files.flatMap((file) => [...file.faults, ...repeatedFaults(file, files), ...specFaults(file, known)])
}

function specFaults(file: RateSetFile, files: readonly RateSetFile[]): LocatedFault[] {
  // An unreadable document already has its fault; a document without a spec has none yet.
  if (file.spec === undefined && file.faults.some(({ check }) => check !== 'envelope')) return []
  const known = new Set(file.faults.map(({ path }) => path))
  return checkRateSet(file.spec, importsOf(file.spec, files))
    .map((fault) => ({ ...fault, path: fault.path === '' ? 'spec' : `spec.${fault.path}` }))
    .filter(({ path }) => !known.has(path))
    .map((fault) => ({ ...fault, file: file.file, ...file.locate(fault.path) }))
}

/**
 * The imported sets that are among some files. A set whose shape is wrong counts as absent, because its own faults
 * explain that.
 */
function importsOf(spec: unknown, files: readonly RateSetFile[]): RateSetSpec[] {
  const { imports, financialYear } = identity(spec)
  const codes = Array.isArray(imports) ? imports : []
  const specs = files.map((file) => file.spec as RateSetSpec)
  return codes.flatMap((code) =>
    specs
      .filter((one) => identity(one).pricingCode === code && identity(one).financialYear === financialYear)
      .filter((one) => schemaFaults(RateSetSpec, one).length === 0)
      .slice(0, 1),
  )
}

/** The fault of a file whose name an earlier file has. */
export function repeatedFaults(file: RateSetFile, files: readonly RateSetFile[]): LocatedFault[] {
  const first = files.find((other) => other.name === file.name)
  if (file.name === '' || first === file || first === undefined) return []
  const path = 'metadata.name'
  return [
    {
      check: 'names-unique',
      path,
      message: `${file.name} is already defined in ${first.file}`,
      file: file.file,
      ...file.locate(path),
    },
  ]
}

const identity = (spec: unknown): { pricingCode?: unknown; financialYear?: unknown; imports?: unknown } =>
  typeof spec === 'object' && spec !== null ? spec : {}
