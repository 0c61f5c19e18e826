import type { Case } from '#rates/engine/grammar/rule.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { EVIDENCE } from '#rates/engine/grade.ts'

type Place = readonly (string | number)[]

const rank = (grade: string): number => (EVIDENCE as readonly string[]).indexOf(grade)

/**
 * Whether every line of a graded part would be as bad without the part's grade: a line has the worst grade of all its
 * parts, so raising such a grade changes no answer.
 */
export function isGradedWorse(spec: RateSetSpec, place: Place): boolean {
  if (place.at(-1) !== 'evidence') return false
  const part = place.slice(0, -1).reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], spec)
  const grade = rank((part as { evidence: string }).evidence)
  const lines = linesWith(spec, place)
  return lines !== undefined && lines.length > 0 && lines.every((line) => line >= grade)
}

/** The ranks of the charges that contain the part at a place; undefined unless several lines use the part. */
function linesWith(spec: RateSetSpec, [root, first, list, second]: Place): number[] | undefined {
  if (root === 'termScales') {
    const name = spec.termScales?.[Number(first)]?.name
    return spec.rules.filter(({ termScale }) => termScale === name).flatMap(ranksOf)
  }
  if (root !== 'concessions') return undefined
  const { adjustments } = spec.concessions![Number(first)]!
  const graded =
    list === 'adjustments' ? [adjustments[Number(second)]!] : adjustments.filter(({ evidence }) => !evidence)
  if (graded.some(({ component }) => component === undefined)) return undefined
  return spec.rules.filter((rule) => graded.some(({ component }) => component === rule.component)).flatMap(ranksOf)
}

/** The ranks of a rule's charges: that of the row, else of the case, else of the rule. */
function ranksOf({ cases, verification }: RateSetSpec['rules'][number]): number[] {
  return cases.flatMap((one) => chargedGrades(one, one.evidence ?? verification.evidence).map(rank))
}

function chargedGrades({ charge }: Case, otherwise: string): string[] {
  if (!charge) return []
  const rows = charge.table?.rows ?? []
  return rows.length === 0 ? [otherwise] : rows.map((row) => row.evidence ?? otherwise)
}
