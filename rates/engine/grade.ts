/** The grades of evidence, the surest first. They stand apart from the grammar, which needs the library of schemas. */
export const EVIDENCE = ['official', 'secondary', 'derived', 'estimate'] as const

/** What a figure is graded by. */
export interface Graded {
  evidence: (typeof EVIDENCE)[number]
  upperBound?: boolean | undefined
}

const ESTIMATE = EVIDENCE.indexOf('estimate')

/** The weakest grade: an estimate that is no upper bound. On the wire it is an `estimate` like the others. */
export const UNBOUNDED = ESTIMATE + 1

/** How many grades there are, the surest first. */
export const GRADES = UNBOUNDED + 1

/** The grade of a figure as a number: of several figures behind one line, the greatest number is the line's. */
export const gradeOf = ({ evidence, upperBound }: Graded): number =>
  evidence === 'estimate' && upperBound !== true ? UNBOUNDED : EVIDENCE.indexOf(evidence)

/** The word of a grade. */
export const evidenceOf = (grade: number): Graded['evidence'] => EVIDENCE[Math.min(grade, ESTIMATE)]!

export const isEstimate = (grade: number): boolean => grade >= ESTIMATE
