/** What an upload would replace. */
export interface Replaced {
  /** Its vehicles, and the `vehicle.source_id` of those that the client does not have. */
  count: number
  fresh: readonly string[]
  /** Bytes of the vehicles that it would replace; undefined when no worker says. */
  bytes: number | undefined
}

/** A client's vehicles, and those of all, in bytes; what waits counts as if each vehicle were new. */
export interface Share {
  own: number
  /** The vehicles of the upload. */
  adds: number
  left: number
  usable: number
}

/** What of the usable vehicles a client may have while it replaces its own: more than new ones are admitted to, and not all. */
const REPLACING = 0.75
/** What of the usable vehicles is left by clients whose vehicles become larger. */
const KEPT = 1 / 16
/** Bytes by which a vehicle may become larger all the same: one more digit must not be refused. */
const SLACK = 128

/** Why an upload beyond the client's share is refused: what others have stored since keeps no client from changing what it has. */
export function refusalToReplace(replaced: Replaced, { own, adds, left, usable }: Share): string | undefined {
  const { count, fresh, bytes } = replaced
  const grows = Math.max(0, adds - (bytes ?? 0))
  if (own + grows <= left) return undefined
  if (fresh.length > 0) return shareOf(fresh)
  if (own + adds > usable * REPLACING) return 'This client has too many vehicles to replace some; try again.'
  if (bytes === undefined || grows <= SLACK * count || left - grows >= usable * KEPT) return undefined
  return `The vehicles are nearly full, and these would become ${grows} bytes larger; old ones have to be deleted.`
}

const SHOWN = 3

function shareOf(fresh: readonly string[]): string {
  const shown = fresh.slice(0, SHOWN).map((id) => JSON.stringify(id))
  const more = fresh.length > SHOWN ? ` and ${fresh.length - SHOWN} more` : ''
  return (
    'This client has its share of vehicles. Batches of vehicles that it has are accepted; for new ones ' +
    `(here ${shown.join(', ')}${more}), old ones have to be deleted.`
  )
}
