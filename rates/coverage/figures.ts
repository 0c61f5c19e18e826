import { amountsOfCharge, parameterOf, referenceOf } from '../checks/amounts.ts'
import { entries, type Subject } from '../checks/subject.ts'
import type { Charge } from '../engine/grammar/charge.ts'
import type { Case, Rule, TermFactor } from '../engine/grammar/rule.ts'
import { evidenceOf, gradeOf } from '../engine/grade.ts'
import { EVIDENCE, type Graded } from '../engine/grade.ts'

export type Grade = (typeof EVIDENCE)[number]

/** One figure that a rule may charge, with its grade and the warnings of a quote that uses it. */
export interface GradedFigure {
  grade: Grade
  /** The grade as the engine compares grades, which separates estimates without an upper bound. */
  rank: number
  warning?: string
}

/** The cell of a table whose amount the source does not print. */
const UNPUBLISHED = '-'

/**
 * The figures that a rule may charge: one for each printed row of a table, one for each graded term, and one for any
 * other charge.
 */
export function figuresOf(rule: Rule, subject: Subject): GradedFigure[] {
  const charges = rule.cases.flatMap((one) => (one.charge ? figuresOfCase(one, one.charge, rule, subject) : []))
  const [surest] = graded(charges.map(({ grade }) => grade))
  if (surest === undefined) return []
  const terms = termsOf(rule, subject).flatMap(({ evidence, upperBound, warning }) =>
    evidence ? [figure([{ evidence: surest }, { evidence, upperBound }], warning)] : [],
  )
  return [...charges, ...terms]
}

function termsOf({ terms, termScale }: Rule, { spec }: Subject): readonly TermFactor[] {
  return terms ?? spec.termScales?.find(({ name }) => name === termScale)?.terms ?? []
}

/** The table rows of a rule that have a cell which the source does not print; a quote leaves such a cell unpriced. */
export const unpublishedRows = (rule: Rule): string[] =>
  rule.cases
    .flatMap(({ charge }) => charge?.table?.rows ?? [])
    .filter(({ amounts }) => amounts.includes(UNPUBLISHED))
    .map((row) =>
      [row.class, row.zone, row.upTo === undefined ? undefined : `up to ${row.upTo}`].filter(Boolean).join(' '),
    )

/** The figures that one case of a rule may charge. */
export function figuresOfCase(one: Case, charge: Charge, rule: Rule, subject: Subject): GradedFigure[] {
  const { warning } = one
  const own = one.evidence ? { ...one, evidence: one.evidence } : rule.verification
  const rows = charge.table?.rows.filter(({ amounts }) => amounts.some((amount) => amount !== UNPUBLISHED))
  if (!rows) {
    const amounts = amountsOfCharge({ path: '', value: charge }).map(({ value }) => value)
    return [figure([own, ...gradesOfAmounts(amounts, subject)], warning)]
  }
  return rows.map((row) => {
    const stated = row.evidence ? { ...row, evidence: row.evidence } : own
    return figure([stated, ...gradesOfAmounts(row.amounts, subject)], row.warning ?? warning)
  })
}

function figure(grades: readonly Graded[], warning: string | undefined): GradedFigure {
  const rank = Math.max(...grades.map(gradeOf))
  return { grade: evidenceOf(rank), rank, ...(warning !== undefined && { warning }) }
}

const gradesOfAmounts = (amounts: readonly string[], subject: Subject): Graded[] =>
  amounts.flatMap((amount) => {
    const reference = referenceOf(amount)
    const parameter = reference && parameterOf(reference, subject)
    return entries('values', parameter?.values).map(({ value }) => value)
  })

/** Removes duplicate grades and sorts them, most certain first. */
export const graded = (grades: Iterable<Grade>): Grade[] => {
  const found = new Set(grades)
  return EVIDENCE.filter((each) => found.has(each))
}
