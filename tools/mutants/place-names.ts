import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { valueAt, type Place } from './difference.ts'

/** The fields that distinguish the entries of a list, the best first. */
const NAMES = ['component', 'name', 'type', 'basis', 'months', 'fact', 'class', 'zone'] as const

/**
 * A place as a text that does not change when an earlier entry is removed, such as
 * `rules.STAMP_DUTY.cases.0.charge.flat`. A list entry is called by its name and, if it has one, its first day
 * (`CTP@2026-12-01`); the second entry with the same name is `CTP#2`. A case is called by its position in the rule.
 */
export const placeName = (spec: RateSetSpec, place: Place): string =>
  place.map((step, at) => stepName(valueAt(spec, place.slice(0, at)), step)).join('.')

function stepName(parent: unknown, step: string | number): string {
  if (!Array.isArray(parent)) return String(step)
  const names = parent.map(entryName)
  const name = names[Number(step)]
  if (name === undefined) return String(step)
  const earlier = names.slice(0, Number(step)).filter((other) => other === name).length
  return earlier === 0 ? name : `${name}#${earlier + 1}`
}

function entryName(entry: unknown): string | undefined {
  if (entry === null || typeof entry !== 'object') return undefined
  const parts = entry as Record<string, unknown>
  const name = NAMES.map((key) => parts[key]).find((value) => typeof value === 'string' || typeof value === 'number')
  if (name === undefined) return undefined
  return parts['startDate'] === undefined ? String(name) : `${String(name)}@${String(parts['startDate'])}`
}
