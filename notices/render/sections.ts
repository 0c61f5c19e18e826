import type { FigureChange } from '#rates/diff/figures.ts'
import type { Notice } from '../notice.ts'

/** What one pricing code says otherwise from one day on. */
export interface Section {
  pricingCode: string
  /** ISO. */
  from: string
  correction: boolean
  parts: Part[]
  /** Further changes that are not listed. */
  more: number
}

/** The changes of one component, or of another named part. */
export interface Part {
  component: string
  kind: FigureChange['kind']
  ruleId?: string
  changes: FigureChange[]
  /** Titles. */
  sources: string[]
}

/** The changes of a notice by day and pricing code, then by component, figures before terms. */
export function sectionsOf({ changes, more = [] }: Pick<Notice, 'changes' | 'more'>): Section[] {
  const groups = Map.groupBy([...changes, ...more], ({ from, pricingCode }) => `${from} ${pricingCode}`)
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => sectionOf(group))
}

function sectionOf(group: (FigureChange | NonNullable<Notice['more']>[number])[]): Section {
  const { pricingCode, from } = group[0]!
  const changes = group.filter((one) => 'component' in one)
  const more = group.reduce((sum, one) => sum + ('count' in one ? one.count : 0), 0)
  const parts = Map.groupBy(changes, ({ kind, component }) => `${kind} ${component}`)
  const correction = changes.some((one) => one.correction === true)
  return { pricingCode, from, correction, more, parts: [...parts.values()].map(partOf) }
}

function partOf(changes: FigureChange[]): Part {
  const { component, kind, ruleId } = changes[0]!
  const sorted = changes.toSorted((a, b) => Number(a.about !== 'figure') - Number(b.about !== 'figure'))
  const sources = [...new Set(changes.flatMap((one) => one.sources))]
  return { component, kind, changes: sorted, sources, ...(ruleId !== undefined && { ruleId }) }
}
