import { numbersOf, rangesOf, ZONES } from './zone-statements.ts'

/** What is needed of a change. */
interface Listed {
  pricingCode: string
  component: string
  label: string
  old: string | null
  new: string | null
  from: string
  until?: string
  course?: string
}

/** What becomes of the list of one zone: its postcodes before and after, as ranges. */
export interface ZoneChange {
  zone: string
  old: string | null
  now: string | null
}

/** Postcodes that leave one zone for another; null where no zone has them. */
export interface ZoneMove {
  from: string | null
  to: string | null
  postcodes: number[]
}

export const isOfZones = ({ component }: { component: string }): boolean => component.startsWith(ZONES)

/** Changes in which two lists of postcodes are put as moves: `postcodes 3335: OUTER → METRO`. */
export function withMoves<Change extends Listed>(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes.filter(isOfZones), (one) =>
    [one.pricingCode, one.component, one.from, one.until, one.course].join(' '),
  )
  return [...changes.filter((one) => !isOfZones(one)), ...[...groups.values()].flatMap(asMoves)]
}

function asMoves<Change extends Listed>(group: readonly Change[]): Change[] {
  const lists = group.map(({ label: zone, old, new: now }) => ({ zone, old, now }))
  return movesOf(lists).map(({ from, to, postcodes }) => {
    const label = `${postcodes.length === 1 ? 'postcode' : 'postcodes'} ${rangesOf(postcodes)}`
    return { ...group[0]!, label, old: from, new: to }
  })
}

/** The moves between the zones of one list whose postcodes change together. */
export function movesOf(lists: readonly ZoneChange[]): ZoneMove[] {
  const zoneOf = (side: 'old' | 'now') =>
    new Map(lists.flatMap((one) => postcodesIn(one[side]).map((postcode) => [postcode, one.zone] as const)))
  const [were, are] = [zoneOf('old'), zoneOf('now')]
  const moved = [...new Set([...were.keys(), ...are.keys()])].filter((one) => were.get(one) !== are.get(one))
  const moves = Map.groupBy(moved, (one) => JSON.stringify([were.get(one) ?? null, are.get(one) ?? null]))
  return [...moves].map(([zones, postcodes]) => {
    const [from, to] = JSON.parse(zones) as [string | null, string | null]
    return { from, to, postcodes }
  })
}

const postcodesIn = (list: string | null): number[] =>
  list === null || list === '' ? [] : list.split(', ').flatMap(numbersOf)
