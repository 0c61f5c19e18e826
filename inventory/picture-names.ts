import { snakeCased } from './field-names.ts'

/** What the name of a field, or a `type` beside an address, says about pictures. */

/** Types that are no pictures; every other type is one, so that no spelling of a type evades moderation. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['video', 'document'])

/** Whether an asset says that it is no picture, by its `type`. The contract names these two; a MIME type is not among them. */
export const isOtherThanPicture = ({ type }: { type?: unknown }): boolean =>
  typeof type === 'string' && OTHER_TYPES.has(type.trim().toLowerCase())

/** Names of fields that have pictures, as `heroImage`, `photos`, `logo_url`, `imageurl` and `srcset`. */
const PICTURE =
  /(?:^|_)(?:image|img|photo|photograph|foto|picture|pic|screenshot|snapshot|thumb|thumbnail|poster|logo|icon|avatar|src_?set)s?\d*(?:_|$|ur[il]s?$|src$|href$|links?$)/
/** Names of fields that have the source of something: of a picture, unless the name or a `type` beside says otherwise. */
const SOURCE = /(?:^|_)src(?:_|$)/
const OF_OTHER = /(?:^|_)(?:video|movie|clip|document|brochure|pdf|audio|tour|spin|iframe|embed|script)s?(?:_|$)/
/** Names of what mostly shows pictures, and may also show a video or lead to a page. `warranty_cover` shows nothing. */
const SHOWS = new RegExp(
  [
    '(?:(?:^|_)(?:hero|banner)|^cover)s?\\d{0,3}(?:_?ur[il]s?|_(?:id|large|small|medium|full|original|main|mobile|desktop|\\d{1,3})){0,3}$',
    '(?:^|_)(?:galler(?:y|ies)|carousels?|slideshows?)\\d{0,3}(?:_(?:urls|items|\\d{1,3}))?$',
    '^(?:vehicle_|listing_)?medias?(?:_urls|_items)?$',
  ].join('|'),
)
/** Addresses of pages, beside the pictures of a hero or a carousel. */
const OF_PAGE = /(?:^|_)(?:cta|page|site|website|homepage|landing|link|target|click)_ur[il]$/
/** Fields that people read, whatever they contain. */
const CAPTION = /(?:^|_)(?:alt|caption|title|description|label|text|notes?)(?:_text)?$/

/** `aside`: of something else, or of a page. */
export type NameKind = 'picture' | 'source' | 'shows' | 'aside' | 'caption' | 'other'

export const kindOf = remembering((name): NameKind => {
  const plain = snakeCased(name)
  if (CAPTION.test(plain)) return 'caption'
  if (PICTURE.test(plain)) return 'picture'
  if (SOURCE.test(plain) && !OF_OTHER.test(plain)) return 'source'
  if (SHOWS.test(plain)) return 'shows'
  return OF_OTHER.test(plain) || OF_PAGE.test(plain) ? 'aside' : 'other'
})

/** Whether the name of a field says that pictures are in it. */
export const isOfPictures = (kind: NameKind): boolean => kind === 'picture' || kind === 'source' || kind === 'shows'

/** Names of fields whose text may list several addresses; any other text is read as one address by whoever shows it. */
export const mayList = (name: string): boolean => /(?:s|set|gallery|carousel|slideshow|media)$/i.test(name)

/** Types that say that an object is a picture: `Photo`, `image/jpeg`. */
const PICTURE_TYPE = /^\s*(?:(?:image|photo|picture)s?\s*$|image\/)/i
/** MIME types that say what `video` and `document` say. */
const OTHER_MIME = /^\s*(?:video|audio|text|model)\/|^\s*application\/(?!octet-stream)/i
/** Types of what a gallery may have beside pictures. */
const ASIDE_TYPE =
  /(?:^|[\s_-])(?:video|movie|clip|document|brochure|pdf|audio|tour|spin|360|iframe|embed|youtube|vimeo|matterport|link|page|website|html|model)s?(?:$|[\s_-])/i

/** `other`: no picture. `aside`: no picture of a gallery. */
export type TypeKind = 'picture' | 'other' | 'aside' | 'unknown'

/** What a `type` says in fields that senders invent. */
export const typeKindOf = remembering((type): TypeKind => {
  if (PICTURE_TYPE.test(type)) return 'picture'
  if (isOtherThanPicture({ type }) || OTHER_MIME.test(type)) return 'other'
  return ASIDE_TYPE.test(type) ? 'aside' : 'unknown'
})

/** Senders invent names, so the number of entries is limited. */
function remembering<Kind>(kindBy: (name: string) => Kind): (name: string) => Kind {
  const kinds = new Map<string, Kind>()
  return (name) => {
    const known = kinds.get(name)
    if (known !== undefined) return known
    const kind = kindBy(name)
    if (kinds.size < MOST_NAMES && name.length <= LONGEST_NAME) kinds.set(name, kind)
    return kind
  }
}
const MOST_NAMES = 2_000
const LONGEST_NAME = 64
