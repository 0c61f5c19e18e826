import { addressesOf, endsLikePicture, isAddress, isOfOther } from './picture-addresses.ts'
import { isOfPictures, kindOf, mayList, typeKindOf, type NameKind } from './picture-names.ts'
import type { Place } from './place.ts'

/** The contract's link that people follow. */
const LINK = 'external_cta_url'

/**
 * What is removed with a refused picture: its field, or the entry of a list that is about nothing but the picture, such as
 * `images[0]` of `images[0].src`; of `options[0].icon` only the icon, and of `media[0].poster` only the poster.
 */
export function removedWith(place: Place): Place {
  const last = place.findLastIndex((key) => typeof key === 'number')
  if (last < 0) return place
  const [own, ofList] = [kindOf(String(place.at(-1))), kindOf(String(place[last - 1]))]
  const isAll = own === 'source' || ofList === 'picture' || (ofList === 'shows' && own === 'other')
  return isAll ? place.slice(0, last + 1) : place
}

interface Walk {
  found: { src: string; place: Place }[]
  place: (string | number)[]
  /** The only place to look at; undefined: all. */
  only: Place | undefined
}

/**
 * What the objects around a value say: a field above it has pictures, or shows some, or a `type` is that of something else: `here`, so that
 * the `src` is its own, or further `out`.
 */
interface Around {
  inside: 'picture' | 'shows' | undefined
  other: 'here' | 'out' | undefined
}

/**
 * The addresses of pictures in fields that the contract does not name: in a field that is called so, in a `src`, or an address that
 * ends like a file of one. Several of one text have the same place. `only`: no others than at this place.
 */
export function pictureAddresses(value: object, only?: Place): Walk['found'] {
  const walk: Walk = { found: [], place: [], only }
  visitFields(value, { inside: undefined, other: undefined }, walk)
  return walk.found
}

function visit(value: unknown, name: string, around: Around, walk: Walk): void {
  if (typeof value === 'string') {
    // Most texts: neither an address nor long.
    if (!/[:/\\]/.test(value)) return
    for (const src of addressesIn(value, name, around)) walk.found.push({ src, place: [...walk.place] })
  } else if (Array.isArray(value)) {
    for (const [position, each] of value.entries()) step(position, walk, () => visit(each, name, around, walk))
  } else if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) {
    visitFields(value, below(name, around), walk)
  }
}

/** What counts in an object in a field of this name. Of the objects in a video, only its `sources` have its own `src`. */
function below(name: string, around: Around): Around {
  const inside = insideOf(kindOf(name), around)
  if (inside !== undefined || around.other === undefined) return { inside, other: undefined }
  return { inside, other: around.other === 'here' && OWN_SOURCES.test(name) ? 'here' : 'out' }
}

const OWN_SOURCES = /^sources?$/i

function insideOf(kind: NameKind, { inside }: Around): Around['inside'] {
  if (kind === 'picture' || inside === 'picture') return 'picture'
  return kind === 'shows' ? 'shows' : inside
}

function visitFields(object: object, around: Around, walk: Walk): void {
  const here = typed(object, around)
  for (const name of Object.keys(object))
    step(name, walk, () => visit((object as Record<string, unknown>)[name], name, here, walk))
}

function typed({ type }: { type?: unknown }, around: Around): Around {
  if (typeof type !== 'string') return around
  const kind = typeKindOf(type)
  if (kind === 'picture') return { inside: 'picture', other: undefined }
  if (kind === 'other') return { inside: undefined, other: 'here' }
  return kind === 'aside' && around.inside === 'shows' ? { ...around, inside: undefined } : around
}

function step(key: string | number, { place, only }: Walk, work: () => void): void {
  if (only && only[place.length] !== key) return
  place.push(key)
  work()
  place.pop()
}

function addressesIn(text: string, name: string, around: Around): string[] {
  const kind = kindOf(name)
  if (kind === 'source' && isOfWhatIsOther(text, name, around)) return []
  const isNamed = isOfPictures(kind) || (kind !== 'caption' && around.inside !== undefined)
  if (isNamed && !(isOnlyShown(kind, around) && isAside(text, kind))) return addressesOf(text, mayList(name))
  return name !== LINK && endsLikePicture(text) && isAddress(text) ? addressesOf(text, mayList(name)) : []
}

/** Whether a source is that of a video or document: its `src`, whatever that is, and another one that ends like a file of one. */
const isOfWhatIsOther = (text: string, name: string, { other }: Around): boolean =>
  other !== undefined && ((other === 'here' && /^src$/i.test(name)) || isOfOther(text))

/** Whether nothing says that an address is a picture but the name of what shows pictures and other things. */
const isOnlyShown = (kind: NameKind, { inside }: Around): boolean =>
  kind !== 'picture' && kind !== 'source' && inside !== 'picture'

const isAside = (text: string, kind: NameKind): boolean => kind === 'aside' || isOfOther(text)
