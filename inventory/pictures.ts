import type { Asset, Item } from './batch.ts'

/** One address of a picture in an item. */
export interface Picture {
  src: string
  /** JSON pointer from the item: `/assets/3/src`, `/vehicle/powered_by_logo_src`. */
  path: string
  /** Position of the picture's asset; undefined for a logo. */
  position?: number
}

/** Most pictures of one item; a batch with more in an item is refused, so that the worker judges every picture. */
export const MOST_PICTURES = 100

/** Asset types that are not pictures; every other type is one, so that no spelling of a type evades moderation. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['video', 'document'])

export const LOGO = 'powered_by_logo_src'

/** Every picture of an item: its logo, then every address in assets that are pictures. */
export function picturesOf({ vehicle, assets }: Item): Picture[] {
  const logo = vehicle[LOGO]
  const logos = typeof logo === 'string' && logo !== '' ? [{ src: logo, path: `/vehicle/${LOGO}` }] : []
  return [...logos, ...(assets || []).flatMap(picturesOfAsset)]
}

/** Whether an asset is a picture, so that every address in it is judged. */
export const isPictureAsset = ({ type }: Asset): boolean => !OTHER_TYPES.has((type ?? '').trim().toLowerCase())

function picturesOfAsset(asset: Asset, position: number): Picture[] {
  if (!isPictureAsset(asset)) return []
  const path = `/assets/${position}`
  const { src, ...further } = asset
  return [
    { src, path: `${path}/src`, position },
    ...addressesIn(further).map((found) => ({ src: found, path, position })),
  ]
}

/** Addresses in the other fields of an asset, whatever their names: a thumbnail, the same picture in another size. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return isAddress(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}

/**
 * Interpreted as browsers interpret addresses: a tab in `http` is ignored, and `//host` or `\\host` takes the scheme of
 * the page.
 */
export function isAddress(text: string): boolean {
  // No text without one of these has a host of its own; most fields of an asset are such texts, and parsing them as addresses
  // took a third of the time of an examined batch.
  if (!/[:/\\]/.test(text)) return false
  const url = URL.parse(text, 'https://page.invalid')
  if (!url || url.host === 'page.invalid') return false
  // The content follows a comma; without one, as in `Data: from the maker`, nothing is loaded (Fetch standard, data: URLs).
  if (url.protocol === 'data:') return url.href.split('#', 1)[0]!.includes(',')
  return url.protocol === 'https:' || url.protocol === 'http:'
}
