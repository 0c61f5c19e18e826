import type { FigureChange } from '#rates/diff/figure-change.ts'
import { dayAfter } from '#rates/engine/dates.ts'

/**
 * What begins after a postponement begins from the amount that applies until then: nobody was ever charged the amount
 * that was announced.
 */
export function afterPostponed(changes: readonly FigureChange[]): FigureChange[] {
  const put = changes.filter(({ course, instead, correction }) => course === 'postponed' && instead && !correction)
  const ended = new Map(put.flatMap((one) => (one.until === undefined ? [] : [[keyOf(one, dayAfter(one.until)), one]])))
  return changes.map((one) => {
    const last = ended.get(keyOf(one, one.from))
    if (!last || last.new === null || one.old === null || one.old !== last.old) return one
    const { lines: { new: line, how } = {}, ...change } = one
    const lines = { ...withoutAbsent({ old: last.lines?.new, new: line, how }) }
    const announced = one.lines?.old ?? one.old
    return { ...change, old: last.new, announced, ...(Object.keys(lines).length > 0 && { lines }) }
  })
}

const keyOf = ({ pricingCode, kind, component, label }: FigureChange, day: string): string =>
  JSON.stringify([pricingCode, kind, component, label, day])

const withoutAbsent = (lines: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(lines).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])))
