import type { Asset, Item } from './batch.ts'
import { addressesOf, isAddress } from './picture-addresses.ts'
import { pictureAddresses } from './picture-fields.ts'
import { isOfPictures, isOtherThanPicture, kindOf, mayList } from './picture-names.ts'
import { pointerOf, type Place } from './place.ts'

/** One address of a picture in an item. */
export interface Picture {
  src: string
  /** JSON pointer from the item: `/assets/3/src`, `/vehicle/powered_by_logo_src`. */
  path: string
  /** Position of the picture's asset; undefined for a picture outside of the assets, such as a logo. */
  position?: number
  /** Where a picture outside of the assets is. */
  place?: Place
  /** Whether the picture has no smallest size: a logo, the poster of a video. */
  mayBeSmall?: true
}

/** Most pictures of one item; a batch with more in an item is refused, so that the worker judges every picture. */
export const MOST_PICTURES = 100

export const LOGO = 'powered_by_logo_src'

/** By its place, and not by its path: that of a field below a name that is too long to repeat is shortened, to this one too. */
export const isLogo = ({ place }: Picture): boolean =>
  place?.length === 2 && place[0] === 'vehicle' && place[1] === LOGO

/** Every picture of an item: its logo, those in fields that senders invent, then every address in assets that are pictures. */
export function picturesOf({ assets, ...rest }: Item): Picture[] {
  const logo = rest.vehicle[LOGO]
  const logos = typeof logo === 'string' && logo !== '' ? [outside({ src: logo, place: ['vehicle', LOGO] })] : []
  const others = pictureAddresses(rest).map(outside)
  return [...logos, ...others.filter((each) => !isLogo(each)), ...(assets || []).flatMap(picturesOfAsset)]
}

const outside = ({ src, place }: { src: string; place: Place }): Picture => ({
  ...{ src, place, path: pointerOf(place), mayBeSmall: true },
})

/** Whether an asset is a picture, so that every address in it is judged. */
export const isPictureAsset = (asset: Asset): boolean => !isOtherThanPicture(asset)

function picturesOfAsset(asset: Asset, position: number): Picture[] {
  const path = `/assets/${position}`
  if (!isPictureAsset(asset))
    return pictureAddresses(asset).map(({ src, place }) => ({
      ...{ src, path: `${path}${pointerOf(place)}`, position, mayBeSmall: true },
    }))
  const { src, ...further } = asset
  return [
    { src, path: `${path}/src`, position },
    ...addressesIn(further).map((found) => ({ src: found, path, position })),
  ]
}

/** Addresses in the other fields of an asset, whatever their names: a thumbnail, the same picture in another size. */
function addressesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return addressesInText(value, name)
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => addressesIn(each, name))
  return Object.entries(value).flatMap(([key, each]) => addressesIn(each, key))
}

function addressesInText(text: string, name: string): string[] {
  if (!/[:/\\]/.test(text)) return []
  // Behind a word, as in `from https://…`, it is an address in a sentence, unless the field has pictures.
  return isOfPictures(kindOf(name)) || isAddress(text) ? addressesOf(text, mayList(name)) : []
}

/** Whether a text at a place of an item that is nothing but addresses is judged as a picture. */
export function isPictureAt(item: Item, place: Place, text: string): boolean {
  const [field, position] = place
  if (field !== 'assets' || typeof position !== 'number') return pictureAddresses(item, place).length > 0
  const asset = (item.assets as Asset[])[position]!
  return isPictureAsset(asset) ? isAddress(text) : pictureAddresses(asset, place.slice(2)).length > 0
}
