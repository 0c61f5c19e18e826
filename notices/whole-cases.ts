import type { FigureChange } from '#rates/diff/figures.ts'

/**
 * Changes in which a case of a rule that ends is one, in place of one for each thing that the case said, and a case that
 * begins is only its figures.
 */
export function wholeCases(changes: readonly FigureChange[]): FigureChange[] {
  const conditions = new Map(changes.filter(({ role }) => role === 'condition').map((one) => [caseKey(one), one]))
  return changes.flatMap((one) => {
    const condition = one.case === undefined ? undefined : conditions.get(caseKey(one))
    if (condition?.new === null) return one === condition ? [ended(one)] : []
    return condition?.old === null && one === condition ? [] : [one]
  })
}

const caseKey = ({ pricingCode, component, case: words, from, until, course }: FigureChange): string =>
  JSON.stringify([pricingCode, component, words, from, until, course])

const ended = (condition: FigureChange): FigureChange => ({
  ...condition,
  label: condition.case!,
  old: 'a rule of its own',
})
