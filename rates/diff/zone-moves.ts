import { listOf, ZONES } from './zone-statements.ts'

/** What is needed of a change of one postcode. */
interface OfPostcode {
  pricingCode: string
  component: string
  label: string
  old: string | null
  new: string | null
  from: string
  until?: string
  course?: string
  postcodes?: readonly string[]
}

export const isOfZones = ({ component }: { component: string }): boolean => component.startsWith(ZONES)

/** Changes in which postcodes that move alike, in the same period, are one: `postcodes 3335-3337: OUTER → METRO`. */
export function withMoves<Change extends OfPostcode>(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes.filter(isOfZones), (one) =>
    JSON.stringify([one.pricingCode, one.component, one.from, one.until, one.course, one.old, one.new]),
  )
  return [...changes.filter((one) => !isOfZones(one)), ...[...groups.values()].map(asOne)]
}

function asOne<Change extends OfPostcode>(group: readonly Change[]): Change {
  const postcodes = listOf(group.map(({ label }) => Number(label)))
  return { ...group[0]!, postcodes, label: `${group.length === 1 ? 'postcode' : 'postcodes'} ${postcodes.join(', ')}` }
}
