import type { Item } from '#inventory/batch.ts'
import type { LatePicture, LatePictures } from '#inventory/late-pictures.ts'
import { picturesOf, type Picture } from '#inventory/pictures.ts'
import type { Vehicles } from '#inventory/vehicles.ts'
import type { ImageVerdict } from '../moderation/types.ts'

export interface Judged {
  picture: Picture
  verdict: ImageVerdict
}

/** The upload and the attempt that a picture belongs to. */
export interface PictureOwner {
  jobId: string
  clientId: string
  sequence: number
  run: number
}

export interface AwayStore {
  vehicles: Pick<Vehicles, 'read'>
  latePictures: LatePictures
}

/** Judged pictures of an item, with what its vehicle has to know of those whose source is away. */
export interface JudgedItem {
  judged: readonly Judged[]
  /** Positions of all assets that were rejected; present when some of them are tried again. */
  leftOut?: readonly number[]
}

/**
 * An unreachable source removes nothing: a picture that the vehicle is stored with keeps its verdict, and any other picture is
 * tried again later, when there is room to remember it.
 */
export async function whileAway(
  owner: PictureOwner,
  { item, index }: { item: Item; index: number },
  judged: readonly Judged[],
  store: AwayStore,
): Promise<JudgedItem> {
  if (!judged.some(isAway)) return { judged }
  const known = await keepingKnown(owner, item, judged, store)
  const late = lateAmong(item, known)
  if (late.length === 0) return { judged: known }
  const { clientId, jobId, sequence, run } = owner
  const name = { client_id: clientId, source_id: item.vehicle.source_id, order: { sequence, index, run } }
  if (!(await store.latePictures.keep({ ...name, job_id: jobId, pictures: late }))) return { judged: known }
  const isLate = ({ picture: { position } }: Judged) =>
    late.some((each) => ('asset' in each ? each.position : undefined) === position)
  return {
    judged: known.map((each) => (isAway(each) && isLate(each) ? { ...each, verdict: LATE } : each)),
    leftOut: [...rejectedPositions(known)],
  }
}

const LATE: ImageVerdict = {
  accepted: false,
  code: 'PICTURE_LATE',
  message:
    'The source does not answer now. The picture is tried again for a day, and is added to the vehicle once it is accepted.',
}

const isAway = ({ verdict }: Judged): boolean => !verdict.accepted && verdict.isAway === true

const rejectedPositions = (judged: readonly Judged[]): Set<number> =>
  new Set(judged.flatMap(({ picture: { position }, verdict }) => (verdict.accepted ? [] : (position ?? []))))

async function keepingKnown(
  { clientId }: PictureOwner,
  item: Item,
  judged: readonly Judged[],
  { vehicles }: AwayStore,
): Promise<readonly Judged[]> {
  const stored = await vehicles.read(clientId, item.vehicle.source_id)
  if (!stored || stored.pictures_unjudged) return judged
  const known = new Set(picturesOf(stored.item).map(({ src }) => src))
  return judged.map((each) =>
    isAway(each) && known.has(each.picture.src) ? { ...each, verdict: { accepted: true } } : each,
  )
}

/** An asset with an address that was refused for good is not tried again, whatever its other addresses say. */
function lateAmong({ assets }: Item, judged: readonly Judged[]): LatePicture[] {
  const away = judged.filter(isAway)
  const refused = rejectedPositions(judged.filter((each) => !isAway(each)))
  const positions = [...rejectedPositions(away)].filter((position) => !refused.has(position))
  const logos = away.filter(({ picture }) => picture.position === undefined)
  return [
    ...logos.map(({ picture }) => ({ logo: picture.src })),
    ...positions.map((position) => ({ position, asset: (assets || [])[position]! })),
  ]
}
