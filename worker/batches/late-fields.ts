import type { Item } from '#inventory/batch.ts'
import type { LateField } from '#inventory/late-vehicle.ts'
import { removedWith } from '#inventory/picture-fields.ts'
import { isLogo, type Picture } from '#inventory/pictures.ts'
import { bytesAsJson } from '#inventory/exact-json.ts'
import { isWithin, valueAt, type Place } from '#inventory/place.ts'
import { MOST_LEFT_OUT } from '#inventory/vehicle-record.ts'

/** A picture, and whether its vehicle is stored without it, for good or while its source is away. */
export interface Fate {
  picture: Picture
  is: 'kept' | 'refused' | 'away'
}

/** Most bytes of the late fields of a vehicle. Its late assets need the rest of the message: a field can have any length. */
const MOST_BYTES = 24 * 1024

interface Outside {
  src: string
  place: Place
  is: Fate['is']
}

/** The fields and entries of lists outside of the assets that are tried again; as an asset, none in which a picture is refused. */
export function lateFields(item: Item, fates: readonly Fate[]): LateField[] {
  if (fieldsLeftOut(fates) === undefined) return []
  const outside = outsideOfAssets(fates)
  const leaving = (reason: Fate['is']) =>
    outside.filter(({ is }) => is === reason).map(({ place }) => removedWith(place))
  const refused = leaving('refused')
  const isRefused = (place: Place) => refused.some((each) => isWithin(each, place) || isWithin(place, each))
  let bytes = 0
  return outermost(leaving('away'))
    .filter((place) => !isRefused(place))
    .map((place) => {
      const sources = outside.filter((each) => isWithin(each.place, place)).map(({ src }) => src)
      return { place, value: valueAt(item, place), sources }
    })
    .filter((field) => {
      const added = bytesAsJson(field)
      const isKept = bytes + added <= MOST_BYTES
      if (isKept) bytes += added
      return isKept
    })
}

/** The places that a vehicle is stored without, but for its assets and its logo; undefined where these are too long to remember. */
export function fieldsLeftOut(fates: readonly Fate[]): Place[] | undefined {
  const left = outsideOfAssets(fates).filter(({ is }) => is !== 'kept')
  const places = outermost(left.map(({ place }) => removedWith(place)))
  return bytesAsJson(places) <= MOST_LEFT_OUT ? places : undefined
}

const outsideOfAssets = (fates: readonly Fate[]): Outside[] =>
  fates.flatMap(({ picture, is }) => {
    const { src, place } = picture
    return place && !isLogo(picture) ? [{ src, place, is }] : []
  })

/** Each place once, without those inside of others. */
const outermost = (places: readonly Place[]): Place[] =>
  places.filter((place, at) =>
    places.every(
      (other, otherAt) => at === otherAt || !isWithin(place, other) || (place.length === other.length && at < otherAt),
    ),
  )
