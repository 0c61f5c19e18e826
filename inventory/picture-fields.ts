import type { Place } from './place.ts'

/** Types that are no pictures; every other type is one, so that no spelling of a type evades moderation. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['video', 'document'])

/** Whether an object says that it is no picture, by its `type`. */
export const isOtherThanPicture = ({ type }: { type?: unknown }): boolean =>
  typeof type === 'string' && OTHER_TYPES.has(type.trim().toLowerCase())

/** Names of fields that have pictures, as `heroImage`, `photos`, `logo_url` and `imageurl`. */
const PICTURE =
  /(?:^|_)(?:image|img|photo|photograph|picture|pic|thumb|thumbnail|poster|logo|icon|avatar)s?\d*(?:_|$|ur[il]s?$|src$|href$|links?$)/
/** Names of fields that have the source of something: of a picture, unless the name or a `type` beside says otherwise. */
const SOURCE = /(?:^|_)src(?:_|$)/
const OF_OTHER = /(?:^|_)(?:video|movie|clip|document|brochure|pdf|audio|tour|spin|iframe|embed|script)s?(?:_|$)/
/** Fields that people read, whatever they contain. */
const CAPTION = /(?:^|_)(?:alt|caption|title|description|label|text|notes?)(?:_text)?$/
/** How the file of a picture ends. */
const FILE = /\.(?:jpe?g|jfif|png|gif|webp|avif|hei[cf]|bmp|tiff?|svg)$/i
const DATA = /^\s*data:image\//i
/** The contract's link that people follow. */
const LINK = 'external_cta_url'

/** Types that say that an object is a picture. */
const PICTURE_TYPE = /^\s*(?:image|photo|picture)s?\s*$/i

type NameKind = 'picture' | 'source' | 'caption' | 'other'

/** Kinds by field name. Senders invent names, so the number of entries is limited. */
const kinds = new Map<string, NameKind>()
const MOST_NAMES = 2_000
const LONGEST_NAME = 64

/**
 * What is removed with a refused picture: its field, or the entry of a list that is about nothing but the picture, such as
 * `images[0]` of `images[0].src`; of `options[0].icon` only the icon.
 */
export function removedWith(place: Place): Place {
  const last = place.findLastIndex((key) => typeof key === 'number')
  if (last < 0) return place
  const isAll = kindOf(String(place.at(-1))) === 'source' || kindOf(String(place[last - 1])) === 'picture'
  return isAll ? place.slice(0, last + 1) : place
}

function kindOf(name: string): NameKind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = kindByName(name.replace(/(?<=[a-z\d])(?=[A-Z])|-/g, '_').toLowerCase())
  if (kinds.size < MOST_NAMES && name.length <= LONGEST_NAME) kinds.set(name, kind)
  return kind
}

function kindByName(name: string): NameKind {
  if (CAPTION.test(name)) return 'caption'
  if (PICTURE.test(name)) return 'picture'
  return SOURCE.test(name) && !OF_OTHER.test(name) ? 'source' : 'other'
}

interface Walk {
  found: { src: string; place: Place }[]
  place: (string | number)[]
  /** The only place to look at; undefined: all. */
  only: Place | undefined
}

/** What the objects around a value say: a field above it has pictures, or a `type` is that of something else. */
interface Around {
  hasPictures: boolean
  isOther: boolean
}

/**
 * The addresses of pictures in fields that the contract does not name: in a field that is called so, in a `src`, or an address that
 * ends like a file of one. `only`: no others than at this place.
 */
export function pictureAddresses(value: object, only?: Place): Walk['found'] {
  const walk: Walk = { found: [], place: [], only }
  visitFields(value, { hasPictures: false, isOther: false }, walk)
  return walk.found
}

function visit(value: unknown, name: string, around: Around, walk: Walk): void {
  if (typeof value === 'string') {
    if (isPicture(value, name, around)) walk.found.push({ src: value, place: [...walk.place] })
  } else if (Array.isArray(value)) {
    for (const [position, each] of value.entries()) step(position, walk, () => visit(each, name, around, walk))
  } else if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) {
    visitFields(value, { ...around, hasPictures: around.hasPictures || kindOf(name) === 'picture' }, walk)
  }
}

function visitFields(object: object, { hasPictures, isOther }: Around, walk: Walk): void {
  const { type }: { type?: unknown } = object
  const isTyped = isOtherThanPicture({ type })
  const isPictureItself = typeof type === 'string' && PICTURE_TYPE.test(type)
  const around = { hasPictures: (hasPictures && !isTyped) || isPictureItself, isOther: isOther || isTyped }
  for (const name of Object.keys(object))
    step(name, walk, () => visit((object as Record<string, unknown>)[name], name, around, walk))
}

function step(key: string | number, { place, only }: Walk, work: () => void): void {
  if (only && only[place.length] !== key) return
  place.push(key)
  work()
  place.pop()
}

function isPicture(text: string, name: string, { hasPictures, isOther }: Around): boolean {
  // Most texts: neither an address nor long.
  if (!/[:/\\]/.test(text)) return false
  const kind = kindOf(name)
  if (kind === 'source' && isOther) return false
  if (kind === 'picture' || kind === 'source' || (kind !== 'caption' && hasPictures)) return isAddress(text)
  return name !== LINK && (DATA.test(text) || isFile(text) || isFile(text.split(/[?#]/, 1)[0]!)) && isAddress(text)
}

const isFile = (text: string): boolean => FILE.test(text.trimEnd().slice(-5))

const PAGES = ['https://page.invalid', 'http://page.invalid']

/**
 * Interpreted as browsers interpret addresses: a tab in `http` is ignored, and `//host` or `\\host` takes the scheme of
 * the page.
 */
export function isAddress(text: string): boolean {
  // No text without one of these has a host of its own; most fields of an asset are such texts, and parsing them as addresses
  // took a third of the time of an examined batch.
  if (!/[:/\\]/.test(text)) return false
  // On a page of the same scheme, `https:host/path` is a path of that page, and on any other page it has a host of its own.
  const url = PAGES.map((page) => URL.parse(text, page)).find((each) => each && each.host !== 'page.invalid')
  if (!url) return false
  // The content follows a comma; without one, as in `Data: from the maker`, nothing is loaded (Fetch standard, data: URLs).
  if (url.protocol === 'data:') return url.href.split('#', 1)[0]!.includes(',')
  return url.protocol === 'https:' || url.protocol === 'http:'
}
