/**
 * The grades of evidence, most certain first. They are not in the grammar because the grammar needs the schema library.
 */
export const EVIDENCE = ['official', 'secondary', 'derived', 'estimate'] as const

/** The fields that give the grade of a figure. */
export interface Graded {
  evidence: (typeof EVIDENCE)[number]
  upperBound?: boolean | undefined
}

const ESTIMATE = EVIDENCE.indexOf('estimate')

/** The weakest grade: an estimate that is not an upper bound. Answers show it as `estimate`. */
export const UNBOUNDED = ESTIMATE + 1

/** The number of grades. */
export const GRADES = UNBOUNDED + 1

/**
 * The grade of a figure as a number, larger for weaker grades: a line with several figures has the largest of their
 * grades.
 */
export const gradeOf = ({ evidence, upperBound }: Graded): number =>
  evidence === 'estimate' && upperBound !== true ? UNBOUNDED : EVIDENCE.indexOf(evidence)

/** The name of a grade. */
export const evidenceOf = (grade: number): Graded['evidence'] => EVIDENCE[Math.min(grade, ESTIMATE)]!

export const isEstimate = (grade: number): boolean => grade >= ESTIMATE
