import type { Item } from '#inventory/batch.ts'

/** One text of an item, or the name of one of its fields. */
export interface ItemText {
  /** JSON pointer from the item; cut back to its parents where a name in it is too long to be repeated. */
  path: string
  /** `prose` is shown to people, `name` too, as that of a business, a person or a place; `opaque` is a key, a code, an address of a file; `link` is an address that people follow. */
  kind: 'prose' | 'name' | 'opaque' | 'link'
  text: string
}

const LONGEST_PATH = 300

/** Fields whose text is for programs: an option code may well spell a word, and a VIN look like a phone number. */
const OPAQUE = /(?:^|_)(?:ids?|codes?|src)$|^(?:vin|type|placement|channel|currency|colour_scheme|registration_number)$/
const LINK = /(?:^|_)ur[il]$|^powered_by_logo_src$/

/** Names of businesses, people and places, and parts of addresses. */
const NAME = /(?:^|_)(?:name|address|street|suburb|city|town|locality)$|^(?:dealer|dealership|seller|salesperson)$/
/** What the sender calls a field, and names of things. */
const NO_NAME = /^\/vehicle\/(?:custom_fields\/|wheel_name$)/

/** Every text of an item, fields that the contract does not name included. */
export function* textsOfItem(item: Item): Generator<ItemText> {
  yield* textsOf(item, { path: '', name: '' })
}

interface Place {
  path: string
  /** Of the field that the value is in, its own or that of the list around it. */
  name: string
}

function* textsOf(value: unknown, { path, name }: Place): Generator<ItemText> {
  if (typeof value === 'string') {
    if (value !== '') yield { path, kind: kindOf(name, path), text: value }
  } else if (Array.isArray(value)) {
    for (const [position, each] of value.entries()) yield* textsOf(each, { path: below(path, String(position)), name })
  } else if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) {
    for (const [key, each] of Object.entries(value)) {
      const place = below(path, key)
      yield { path: place, kind: 'opaque', text: key }
      yield* textsOf(each, { path: place, name: key })
    }
  }
}

function kindOf(name: string, path: string): ItemText['kind'] {
  if (LINK.test(name)) return 'link'
  if (OPAQUE.test(name)) return 'opaque'
  return NAME.test(name) && !NO_NAME.test(path) ? 'name' : 'prose'
}

/** RFC 6901, 3; a pointer that would be too long stays where it is, and so names a parent. */
function below(path: string, key: string): string {
  const longer = `${path}/${key.slice(0, LONGEST_PATH).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return longer.length > LONGEST_PATH ? path : longer
}
