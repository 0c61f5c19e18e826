import { EVIDENCE, type Graded } from '#rates/engine/grade.ts'

/** What says nothing of how sure it is adds no doubt. */
export const SURE: Graded = { evidence: EVIDENCE[0] }

/** The grade that a part of a set gives itself, where it gives one. */
export const stated = ({ evidence, upperBound }: Partial<Graded>): Graded | undefined =>
  evidence && { evidence, upperBound }

/** The weakest of some grades, and whether one of them is an estimate that is no upper bound. */
export function weakest(grades: readonly Graded[]): { grade: string; mayRise: boolean } {
  const grade = EVIDENCE[Math.max(...grades.map(({ evidence }) => EVIDENCE.indexOf(evidence)))]!
  return { grade, mayRise: grades.some(({ evidence, upperBound }) => evidence === 'estimate' && upperBound !== true) }
}
