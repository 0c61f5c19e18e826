import type { Asset, Item } from '#inventory/batch.ts'
import { bytesAsJson } from '#inventory/exact-json.ts'
import type { LatePictures } from '#inventory/late-pictures.ts'
import type { LatePicture } from '#inventory/late-vehicle.ts'
import { isAddress } from '#inventory/picture-addresses.ts'
import { isLogo, isPictureAsset, picturesOf, type Picture } from '#inventory/pictures.ts'
import { isWithin, type Place } from '#inventory/place.ts'
import type { VehicleRecord, Vehicles } from '#inventory/vehicles.ts'
import type { ImageVerdict } from '../moderation/types.ts'
import { fieldsLeftOut, lateFields, type Fate } from './late-fields.ts'

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

/** What an item that waits for the rest of its batch has of its pictures: all else is made of its text again. */
export interface JudgedPictures {
  /** In the order of `picturesOf`. */
  verdicts: readonly ImageVerdict[]
  /** Whether those are tried again that can be. */
  isLate?: boolean
  /** Whether the vehicle is stored with an earlier version of a late asset. */
  hasVersions?: boolean
}

/** Judged pictures of an item, with what its vehicle has to know of those whose source is away. */
interface SettledItem {
  judged: readonly Judged[]
  /** By its position, what the vehicle has in place of a rejected asset: the asset as it was stored before. */
  asBefore?: ReadonlyMap<number, Asset>
  /** Present when some of the rejected assets are tried again. */
  late?: LateAssets
}

/** Positions of the assets, and places of the fields, that a vehicle is stored without while some of them are late. */
export interface LateAssets {
  assets_left_out: readonly number[]
  assets_as_before?: readonly number[]
  fields_left_out?: readonly Place[]
}

/**
 * An unreachable source removes nothing: a picture that the vehicle is stored with keeps its verdict, an asset that has a new
 * address besides stays as it was stored, and any other picture is tried again later, when there is room to remember it.
 */
export async function whileAway(
  { clientId, jobId, sequence, run }: PictureOwner,
  { item, index, verdicts }: { item: Item; index: number; verdicts: readonly ImageVerdict[] },
  store: AwayStore,
): Promise<JudgedPictures> {
  const sourceId = item.vehicle.source_id
  const stored = picturesBefore(await store.vehicles.read(clientId, sourceId))
  const known = keepingKnown(stored, judgedOf(item, verdicts))
  const judged = { verdicts: known.map(({ verdict }) => verdict) }
  const pictures = lateAmong(item, known)
  if (pictures.length === 0) return judged
  const hasVersions = stored !== undefined && storedVersions(stored, item, pictures).size > 0
  const name = { client_id: clientId, source_id: sourceId, order: { sequence, index, run } }
  return { ...judged, hasVersions, isLate: await store.latePictures.keep({ ...name, job_id: jobId, pictures }) }
}

const judgedOf = (item: Item, verdicts: readonly ImageVerdict[]): Judged[] =>
  picturesOf(item).map((picture, at) => ({ picture, verdict: verdicts[at]! }))

/** The pictures of an item as its job and its vehicle have them; `stored`: what the vehicle is stored with. */
export function settled(item: Item, { verdicts, isLate }: JudgedPictures, stored?: Item): SettledItem {
  const known = judgedOf(item, verdicts)
  const pictures = lateAmong(item, known)
  if (pictures.length === 0) return { judged: known }
  const asBefore = stored ? storedVersions(stored, item, pictures) : new Map<number, Asset>()
  if (!isLate) return { judged: known, asBefore }
  const isLateOne = ({ picture }: Judged) => pictures.some((each) => isOf(each, picture))
  const hasLateFields = pictures.some((each) => 'sources' in each)
  const fields = (hasLateFields && fieldsLeftOut(known.map(fateOf))) || []
  return {
    judged: known.map((each) => (isAway(each.verdict) && isLateOne(each) ? { ...each, verdict: LATE } : each)),
    asBefore,
    late: {
      assets_left_out: [...rejectedPositions(known)].filter((position) => !asBefore.has(position)),
      ...(asBefore.size > 0 && { assets_as_before: [...asBefore.keys()] }),
      ...(fields.length > 0 && { fields_left_out: fields }),
    },
  }
}

function isOf(late: LatePicture, picture: Picture): boolean {
  if ('asset' in late) return late.position === picture.position
  if ('logo' in late) return isLogo(picture)
  return picture.place !== undefined && isWithin(picture.place, late.place)
}

const fateOf = (judged: Judged): Fate => ({
  picture: judged.picture,
  is: judged.verdict.accepted ? 'kept' : isAway(judged.verdict) ? 'away' : 'refused',
})

const LATE: ImageVerdict = {
  accepted: false,
  code: 'PICTURE_LATE',
  message:
    'The source does not answer now. The picture is tried again for a day, and is added to the vehicle once it is accepted.',
}

export const isAway = (verdict: ImageVerdict): boolean => !verdict.accepted && verdict.isAway === true

const rejectedPositions = (judged: readonly Judged[]): Set<number> =>
  new Set(judged.flatMap(({ picture: { position }, verdict }) => (verdict.accepted ? [] : (position ?? []))))

/** What the vehicle is stored with; undefined when that says nothing about its pictures. */
export const picturesBefore = (stored: VehicleRecord | undefined): Item | undefined =>
  stored?.pictures_unjudged ? undefined : stored?.item

const KEPT: ImageVerdict = { accepted: true }

function keepingKnown(stored: Item | undefined, judged: readonly Judged[]): readonly Judged[] {
  if (!stored) return judged
  const known = new Set(picturesOf(stored).map(({ src }) => src))
  return judged.map((each) => (isAway(each.verdict) && known.has(each.picture.src) ? { ...each, verdict: KEPT } : each))
}

/** Most bytes of the assets that a vehicle has as they were before: with them it has to fit into a message. */
const MOST_AS_BEFORE = 256 * 1024
/** Bytes by which a vehicle with them may be longer than what was counted when the upload was admitted: it or the stored one. */
const LONGER = 128

/** The late assets that the vehicle is stored with in an earlier version, which has the same `src`; each of these once. */
function storedVersions(stored: Item, sent: Item, late: readonly LatePicture[]): Map<number, Asset> {
  const bySource = Map.groupBy(stored.assets || [], ({ src }) => src)
  const versions = new Map<number, Asset>()
  const lateBytes = late.reduce((sum, picture) => sum + ('asset' in picture ? bytesAsJson(picture.asset) : 0), 0)
  const most = Math.min(MOST_AS_BEFORE, Math.max(0, bytesAsJson(stored) - bytesAsJson(sent)) + lateBytes + LONGER)
  let bytes = 0
  for (const picture of late) {
    if (!('asset' in picture)) continue
    const isPicture = isPictureAsset(picture.asset)
    const alike = bySource.get(picture.asset.src) ?? []
    const [asset] = alike.splice(alike.findIndex((each) => isPictureAsset(each) === isPicture) >>> 0, 1)
    if (!asset) continue
    const before = placedAs(picture.asset, asset)
    bytes += bytesAsJson(before)
    if (bytes <= most) versions.set(picture.position, before)
  }
  return versions
}

/** The stored asset where the upload has it, so that no two assets have the same place. */
function placedAs(sent: Asset, stored: Asset): Asset {
  const { placement = stored.placement, order = stored.order } = sent
  const isPlace = typeof placement === 'string' && !isAddress(placement)
  return { ...stored, ...(isPlace && { placement }), ...(order !== undefined && { order }) }
}

/** An asset with an address that was refused for good is not tried again, whatever its other addresses say. */
function lateAmong(item: Item, judged: readonly Judged[]): LatePicture[] {
  const away = judged.filter(({ verdict }) => isAway(verdict))
  const refused = rejectedPositions(judged.filter(({ verdict }) => !isAway(verdict)))
  const positions = [...rejectedPositions(away)].filter((position) => !refused.has(position))
  const logos = away.filter(({ picture }) => isLogo(picture))
  return [
    ...logos.map(({ picture }) => ({ logo: picture.src })),
    ...positions.map((position) => ({ position, asset: (item.assets || [])[position]! })),
    ...lateFields(item, judged.map(fateOf)),
  ]
}
