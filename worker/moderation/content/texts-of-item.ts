import type { Item } from '#inventory/batch.ts'
import { snakeCased } from '#inventory/field-names.ts'
import { isNothingButAddresses } from '#inventory/picture-addresses.ts'
import { kindOf as nameKindOf } from '#inventory/picture-names.ts'
import { isPictureAt } from '#inventory/pictures.ts'
import type { Place } from '#inventory/place.ts'

/**
 * `prose` is shown to people; so are `name`, the name of a business, a person or a place, and `provider`, who provides
 * something, often named by the address of a site. `opaque` is a key, a code or the address of a file. `link` is an
 * address that people follow.
 */
export type TextKind = 'prose' | 'name' | 'provider' | 'opaque' | 'link'

/**
 * Receives a text of an item, or the name of one of its fields; returning true ends the walk. `place` is valid until it
 * returns.
 */
export type VisitText = (text: string, kind: TextKind, place: Place) => boolean

/** Fields that programs read: an option code may spell a word, and a VIN may look like a phone number. */
const OPAQUE =
  /(?:^|_)(?:ids?|codes?|src|vins?|rego|nvic|barcode|uuid|guid|abn|acn|sku|licen[cs]e|(?:number|rego|licen[cs]e)_plates?)$|^(?:type|placement|channel|currency|colou?r_scheme)$/
/** Numbers of a vehicle or of a paper, under names that senders choose; a `contact_no` is not among them. */
const OPAQUE_NUMBER =
  /(?:^|_)(?:vin|chassis|engine|stock|rego|registration|build|compliance|parts?|serial|ref|reference|warranty|policy|licen[cs]e|plate|model|invoice)_(?:numbers?|no|nos|num)$/
const LINK = /(?:^|_)(?:ur[il]s?|links?|href)$|^powered_by_logo_src$/

const PROVIDER = /^(?:specifications_provider|powered_by_description)$/

/** Names of businesses, people and places, and parts of addresses. */
const NAME =
  /(?:^|_)(?:name|(?:address|street)(?:_?line)?(?:_?\d)?|suburb|city|town|locality)$|^(?:dealer|dealership|seller|salesperson|region|branch|contact|contact_person|sales_(?:rep|representative|consultant|person|manager))$/
/** The parts of an `address` that say nothing alone: its `line_1`. */
const LINE = /^line_?\d?$/

/** Visits every text of an item, including fields that the contract does not name. */
export function visitTexts(item: Item, visit: VisitText): void {
  visitValue(item, '', { item, place: [], visit })
}

interface Walk {
  item: Item
  /**
   * The place of the visited value; one list for the whole walk, because an item has a hundred texts and rarely a
   * fault.
   */
  place: (string | number)[]
  visit: VisitText
}

/** `name` is the name of the field that contains the value, directly or within a list. */
function visitValue(value: unknown, name: string, walk: Walk): boolean {
  if (typeof value === 'string') return value !== '' && walk.visit(value, kindOf(value, name, walk), walk.place)
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) ? visitList(value, name, walk) : !JSON.isRawJSON(value) && visitFields(value, walk)
}

function visitList(list: readonly unknown[], name: string, walk: Walk): boolean {
  const { place } = walk
  for (const [position, each] of list.entries()) {
    place.push(position)
    if (visitValue(each, name, walk)) return true
    place.pop()
  }
  return false
}

function visitFields(object: object, walk: Walk): boolean {
  const { place, visit } = walk
  for (const key of Object.keys(object)) {
    place.push(key)
    if (visit(key, 'opaque', place) || visitValue((object as Record<string, unknown>)[key], key, walk)) return true
    place.pop()
  }
  return false
}

/** Kinds by field name. Senders invent names, so the number of entries is limited. */
const kinds = new Map<string, TextKind>()
const MOST_NAMES = 2_000
const LONGEST_NAME = 64

function kindOf(text: string, name: string, walk: Walk): TextKind {
  const kind = kindOfName(name)
  if (kind === 'opaque' || kind === 'link') return kind
  if (nameKindOf(name) !== 'caption' && isAddressOfPicture(text, walk)) return 'opaque'
  if (kind === 'prose') return isLineOfAddress(name, walk.place) ? 'name' : kind
  return kind === 'name' && isNameOfThing(walk.place) ? 'prose' : kind
}

function kindOfName(name: string): TextKind {
  const known = kinds.get(name)
  if (known !== undefined) return known
  const kind = kindByName(snakeCased(name))
  if (kinds.size < MOST_NAMES && name.length <= LONGEST_NAME) kinds.set(name, kind)
  return kind
}

/**
 * Whether a text is judged as a picture, whatever its field is called: the address of a thumbnail is as little prose as
 * `src` is. One with a space within may be a sentence behind an address, so it counts as both.
 */
function isAddressOfPicture(text: string, { item, place }: Walk): boolean {
  return /[:/\\]/.test(text) && isNothingButAddresses(text) && isPictureAt(item, place, text)
}

function kindByName(name: string): TextKind {
  if (LINK.test(name)) return 'link'
  if (OPAQUE.test(name) || OPAQUE_NUMBER.test(name)) return 'opaque'
  if (PROVIDER.test(name)) return 'provider'
  return NAME.test(name) ? 'name' : 'prose'
}

/** Whether a text is the `line_1` of an `address`. */
function isLineOfAddress(name: string, place: Place): boolean {
  if (name.length > LONGEST_NAME || !LINE.test(snakeCased(name))) return false
  const fields = place.filter((key) => typeof key === 'string')
  return /(?:^|_)address$/.test(snakeCased(fields.at(-2) ?? ''))
}

/** The label that a sender gives to a field of its own, or the name of a wheel. */
function isNameOfThing([first, second, ...rest]: Place): boolean {
  if (first !== 'vehicle') return false
  const field = snakeCased(String(second))
  return (field === 'custom_fields' && rest.length > 0) || (field === 'wheel_name' && rest.length === 0)
}

/** Addresses, which are no prose; `//host` has the scheme of the page. */
const ADDRESS = /(?:(?<![a-z\d+.-])[a-z][a-z\d+.-]{0,20}:)?\/\/\S+/gi
/** A word as it stands in a sentence: in small letters, or of four letters. Option codes have three: `ASS FUK`. */
const WORD = /(?<![\p{L}\p{N}])(?:\p{Lu}?\p{Ll}{2,40}|\p{L}{4,40})(?![\p{L}\p{N}])/gu
/** Words that come before a phone number. */
const CALL = /(?<![\p{L}\p{N}])(?:call|contact|mob|mobile|ph|phone|ring|sms|tel|text|txt)(?![\p{L}\p{N}])/iu

/** The part of a code or an address that is prose, without the addresses in it; undefined when none is. */
export function wordsBeside(text: string): string | undefined {
  if (!/\s/.test(text.trim())) return undefined
  const rest = text.replace(ADDRESS, ' ')
  return (rest.match(WORD)?.length ?? 0) > 1 || CALL.test(rest) ? rest : undefined
}
