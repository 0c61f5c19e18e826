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

/** Changes in which two lists of postcodes are put as moves: `postcodes 3335: OUTER → METRO`. */
export function withMoves<Change extends Listed>(changes: readonly Change[]): Change[] {
  const isZone = ({ component }: Listed) => component.startsWith(ZONES)
  const groups = Map.groupBy(changes.filter(isZone), (one) =>
    [one.pricingCode, one.component, one.from, one.until, one.course].join(' '),
  )
  return [...changes.filter((one) => !isZone(one)), ...[...groups.values()].flatMap(movesOf)]
}

function movesOf<Change extends Listed>(group: readonly Change[]): Change[] {
  const zoneOf = (side: 'old' | 'new') =>
    new Map(group.flatMap((one) => postcodesIn(one[side]).map((postcode) => [postcode, one.label] as const)))
  const [were, are] = [zoneOf('old'), zoneOf('new')]
  const moved = [...new Set([...were.keys(), ...are.keys()])].filter((one) => were.get(one) !== are.get(one))
  const moves = Map.groupBy(moved, (one) => JSON.stringify([were.get(one) ?? null, are.get(one) ?? null]))
  return [...moves].map(([zones, postcodes]) => {
    const [old, now] = JSON.parse(zones) as [string | null, string | null]
    const label = `${postcodes.length === 1 ? 'postcode' : 'postcodes'} ${rangesOf(postcodes)}`
    return { ...group[0]!, label, old, new: now }
  })
}

const postcodesIn = (list: string | null): number[] =>
  list === null || list === '' ? [] : list.split(', ').flatMap(numbersOf)
