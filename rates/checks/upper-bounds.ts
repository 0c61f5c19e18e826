import type { Fault } from './fault.ts'
import type { Check } from './subject.ts'

/** Only an estimate states `upperBound`: every other figure is the law's. */
export const upperBounds: Check = ({ spec }) =>
  (['parameters', 'termScales', 'rules', 'concessions'] as const).flatMap((list) => faultsIn(spec[list], list))

function faultsIn(part: unknown, path: string): Fault[] {
  if (Array.isArray(part)) return part.flatMap((one, at) => faultsIn(one, `${path}[${at}]`))
  if (typeof part !== 'object' || part === null) return []
  const { upperBound, evidence } = part as { upperBound?: unknown; evidence?: unknown }
  const message = 'upperBound goes only with evidence: estimate beside it'
  const own = upperBound === undefined || evidence === 'estimate' ? [] : [{ check: 'upper-bounds', path: `${path}.upperBound`, message }]
  return [...own, ...Object.entries(part).flatMap(([key, value]) => faultsIn(value, `${path}.${key}`))]
}
