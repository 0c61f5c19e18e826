import type { Item } from '#inventory/batch.ts'
import type { LateField, LatePicture, LateVehicle } from '#inventory/late-vehicle.ts'
import { LOGO, picturesOf, type Picture } from '#inventory/pictures.ts'
import { isWithin, withPlace, type Place } from '#inventory/place.ts'
import { vehicleOf, type LateStores } from '#inventory/outdated-late-pictures.ts'
import type { VehicleRecord } from '#inventory/vehicle-record.ts'
import type { Vehicles } from '#inventory/vehicles.ts'
import type { ImageModerator } from '../moderation/types.ts'

/** What has become of the late pictures of a vehicle. */
export type LateOutcome =
  /** Each is added or refused. */
  | 'judged'
  /** The source of some is still away. */
  | 'still away'
  /** The source of some is still away, and this was the last time: the vehicle stays without them. */
  | 'given up'
  /** The attempt has not stored its vehicle yet. */
  | 'not stored yet'
  /** A later upload, or a further attempt, has stored the vehicle, or it was removed. */
  | 'superseded'

export interface LateServices {
  vehicles: Vehicles
  jobs: LateStores['jobs']
  images: ImageModerator
  signal: AbortSignal
  /** Whether the pictures are not tried again after this. */
  isLastTime: boolean
}

/**
 * Judges the late pictures of a vehicle, adds those that are accepted, and removes assets whose late version is refused for good, as
 * the upload does. A repetition is harmless.
 */
export async function tryLateVehicle(
  late: LateVehicle,
  { vehicles, jobs, images, signal, isLastTime }: LateServices,
): Promise<LateOutcome> {
  const stored = await vehicleOf(late, { vehicles, jobs })
  if (typeof stored === 'string') return stored
  const missing = late.pictures.filter((picture) => isMissing(stored, picture))
  if (missing.length === 0) return 'judged'
  const verdicts = await Promise.all(missing.map((picture) => judge(late, picture, { images, signal })))
  const judged = {
    accepted: missing.filter((_, index) => verdicts[index] === 'accepted'),
    refused: missing.filter((picture, index) => verdicts[index] === 'refused' && isAsBefore(stored, picture)),
  }
  const outcome = !verdicts.includes('away') ? 'judged' : isLastTime ? 'given up' : 'still away'
  if (outcome === 'still away' && judged.accepted.length + judged.refused.length === 0) return outcome
  const isChanged = await vehicles.change(late, (record) => withJudged(record, judged, outcome))
  return isChanged ? outcome : 'superseded'
}

function isMissing(record: VehicleRecord, picture: LatePicture): boolean {
  const { assets_left_out: leftOut = [], assets_as_before: asBefore = [], fields_left_out: fields = [], item } = record
  if ('asset' in picture) return leftOut.includes(picture.position) || asBefore.includes(picture.position)
  if ('logo' in picture) return item.vehicle[LOGO] === undefined
  return fields.some((each) => isSame(each, picture.place))
}

const isSame = (one: Place, other: Place): boolean => isWithin(one, other) && one.length === other.length

const isAsBefore = ({ assets_as_before: asBefore = [] }: VehicleRecord, picture: LatePicture): boolean =>
  'asset' in picture && asBefore.includes(picture.position)

/** An asset or a field is accepted when each of its addresses is. */
async function judge(
  { client_id: clientId, job_id: jobId }: LateVehicle,
  picture: LatePicture,
  { images, signal }: Pick<LateServices, 'images' | 'signal'>,
): Promise<'accepted' | 'refused' | 'away'> {
  const verdicts = await Promise.all(
    addressesOf(picture).map(({ src, mayBeSmall: isLogo = false }) =>
      images.judge({ src, isLogo, jobId, clientId, signal }),
    ),
  )
  const refusals = verdicts.filter((verdict) => !verdict.accepted)
  if (refusals.length === 0) return 'accepted'
  return refusals.every(({ isAway }) => isAway) ? 'away' : 'refused'
}

function addressesOf(picture: LatePicture): Pick<Picture, 'src' | 'mayBeSmall'>[] {
  if ('asset' in picture) return picturesOf({ vehicle: NO_VEHICLE, assets: [picture.asset] })
  if ('logo' in picture) return picturesOf({ vehicle: { ...NO_VEHICLE, [LOGO]: picture.logo } })
  return picture.sources.map((src) => ({ src, mayBeSmall: true }))
}

const NO_VEHICLE = { source_id: '' }

interface JudgedPictures {
  accepted: readonly LatePicture[]
  /** Of the assets that the vehicle has as they were before. */
  refused: readonly LatePicture[]
}

function withJudged(record: VehicleRecord, { accepted, refused }: JudgedPictures, outcome: LateOutcome): VehicleRecord {
  const left = refused.reduce(withoutAsset, accepted.reduce(withPicture, record))
  const changed: VehicleRecord = { ...left, stored_at: new Date().toISOString() }
  const places = ['assets_left_out', 'assets_as_before', 'fields_left_out'] as const
  if (outcome !== 'still away') for (const each of places) Reflect.deleteProperty(changed, each)
  return changed
}

/** The vehicle with one more picture; unchanged when it has it. */
function withPicture(record: VehicleRecord, picture: LatePicture): VehicleRecord {
  const { item, assets_left_out: leftOut = [], assets_as_before: asBefore = [] } = record
  if ('logo' in picture) return { ...record, item: { ...item, vehicle: { ...item.vehicle, [LOGO]: picture.logo } } }
  if ('sources' in picture) return withField(record, picture)
  const { position, asset } = picture
  const others = (positions: readonly number[]) => positions.filter((each) => each !== position)
  const put = (replaced: number): Item => ({
    ...item,
    assets: (item.assets || []).toSpliced(placeOf(position, leftOut), replaced, asset),
  })
  if (leftOut.includes(position)) return { ...record, item: put(0), assets_left_out: others(leftOut) }
  if (asBefore.includes(position)) return { ...record, item: put(1), assets_as_before: others(asBefore) }
  return record
}

function withField(record: VehicleRecord, field: LateField): VehicleRecord {
  const { item, fields_left_out: leftOut = [] } = record
  const others = leftOut.filter((each) => !isSame(each, field.place))
  return others.length < leftOut.length
    ? { ...record, item: withPlace(item, field, leftOut), fields_left_out: others }
    : record
}

/** The vehicle without an asset that it has as it was before; unchanged when it has none. */
function withoutAsset(record: VehicleRecord, picture: LatePicture): VehicleRecord {
  if (!isAsBefore(record, picture) || !('asset' in picture)) return record
  const { item, assets_left_out: leftOut = [], assets_as_before: asBefore = [] } = record
  const { position } = picture
  return {
    ...record,
    item: { ...item, assets: (item.assets || []).toSpliced(placeOf(position, leftOut), 1) },
    assets_left_out: [...leftOut, position].sort((one, other) => one - other),
    assets_as_before: asBefore.filter((each) => each !== position),
  }
}

/** Where an asset of the upload is in a vehicle without some of them. */
const placeOf = (position: number, leftOut: readonly number[]): number =>
  position - leftOut.filter((each) => each < position).length
