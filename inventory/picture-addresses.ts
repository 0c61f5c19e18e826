import { endlessHost } from './parse-address.ts'

const PAGES = ['https://page.invalid', 'http://page.invalid']

/**
 * Interpreted as browsers interpret addresses: a tab in `http` is ignored, and `//host` or `\\host` takes the scheme of
 * the page.
 */
export function isAddress(text: string): boolean {
  // No text without one of these has a host of its own; most fields of an asset are such texts, and parsing them as addresses
  // took a third of the time of an examined batch.
  if (!/[:/\\]/.test(text)) return false
  const endless = endlessHost(text)
  if (endless !== undefined) return endless === 'address'
  // On a page of the same scheme, `https:host/path` is a path of that page, and on any other page it has a host of its own.
  const url = elsewhere(text)
  if (!url) return false
  // The content follows a comma; without one, as in `Data: from the maker`, nothing is loaded (Fetch standard, data: URLs).
  if (url.protocol === 'data:') return url.href.split('#', 1)[0]!.includes(',')
  return url.protocol === 'https:' || url.protocol === 'http:'
}

function elsewhere(text: string): URL | undefined {
  for (const page of PAGES) {
    const url = URL.parse(text, page)
    if (url && url.host !== 'page.invalid') return url
  }
  return undefined
}

const START = '(?:https?:|data:|[\\\\/]{2})'
const FURTHER = new RegExp(`[^\\s,;|][\\s,;|]+${START}`, 'i')
/** Not the comma of a `data:` address, whose content may begin with two slashes. */
const SEPARATOR = new RegExp(`(?<![\\s,;|])(?<!;base64)[\\s,;|]+(?=${START})`, 'i')
const TRAILING = /(?<![\s,;|])[\s,;|]+$/
/** The width or the density behind an address in a `srcset`. */
const DESCRIPTOR = /\s{1,9}(?:\d{1,5}[wh](?:\s\d{1,5}h)?|\d{1,2}(?:\.\d{1,3})?x)$/i
const DESCRIBED = /\s(?:\d{1,5}[wh]|\d{1,2}(?:\.\d{1,3})?x)[\s,]{0,9}$/i

/** Most addresses of one text that are told apart; as many pictures as an item may have. */
const MOST_PARTS = 100

/** The parts of a text that begin like addresses, as in a `srcset` or a list with commas; undefined for a text of one part. */
function partsOf(text: string): string[] | undefined {
  if (!FURTHER.test(text) && !DESCRIBED.test(text)) return undefined
  const parts = text.split(SEPARATOR, MOST_PARTS + 1)
  return parts.map((part) => part.replace(TRAILING, '').replace(DESCRIPTOR, '')).filter(Boolean)
}

/**
 * Every address that a text may be read as: whole, and each of several in it. `mayList`: the text is not read as a whole where it
 * is a list of addresses and nothing else. A text with too many parts has more than an item may have, whatever they are.
 */
export function addressesOf(text: string, mayList: boolean): string[] {
  const parts = partsOf(text)
  if (!parts) return isAddress(text) ? [text] : []
  if (parts.length > MOST_PARTS) return parts
  const addresses = parts.filter(isAddress)
  const isList = mayList && parts.every(isAlone)
  return [...new Set(isList || !isAddress(text) ? addresses : [text, ...addresses])]
}

/** Whether a text is one address or a list of them, and no sentence around one. */
export function isNothingButAddresses(text: string): boolean {
  const parts = /\s/.test(text.trim()) ? (partsOf(text) ?? []) : [text.trim()]
  const isList = parts.length > 0 && parts.length <= MOST_PARTS
  return isList && parts.every(isAlone)
}

const isAlone = (part: string): boolean => !/\s/.test(part) && isAddress(part)

/** How the file of a picture ends, also with what servers of pictures read behind it: `1.jpg;v=1`, `1.jpg!large`, `1.jpg@2x`, `1.jpg_640x480`. */
const FILE =
  /\.(?:p?jpe?g|jpe|pjp|jfif|a?png|gif|webp|avif|jxl|hei[cf]|bmp|tiff?|svg)(?:(?:[;!@:~,&*|+$]|[-_=](?:[swh]?\d|large|medium|small|thumb|orig))[^\s/\\]{0,60})?$/i
/** The form in which a server of pictures is asked for one: `?fm=jpg`, `&format=webp`. */
const ASKED_FORM = /[?&](?:fm|fmt|format)=(?:jpe?g|png|gif|webp|avif)(?:&|$)/i
const LONGEST_ENDING = 70
const DATA = /^\s*data:image\//i

/** Whether an address is that of a picture by itself. */
export const endsLikePicture = (text: string): boolean =>
  DATA.test(text) || isFile(text) || isFile(text.split(/[?#]/, 1)[0]!) || ASKED_FORM.test(text.trimEnd())

const isFile = (text: string): boolean => FILE.test(text.trimEnd().slice(-LONGEST_ENDING))

const OTHER_FILE = /\.(?:mp4|m4v|mov|webm|ogv|avi|m3u8|mpd|mp3|pdf|html?)\/?\s*$/i
/** Sites that a gallery shows a video or a tour of. */
const OF_VIDEOS =
  /^\s*(?:https?:)?\/\/(?:[\w-]{1,63}\.){0,3}(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|matterport\.com)\//i

/** Whether an address in a gallery is that of a video, a document or a page by itself. */
export const isOfOther = (text: string): boolean =>
  OF_VIDEOS.test(text) || OTHER_FILE.test(text.split(/[?#]/, 1)[0]!.slice(-LONGEST_ENDING))
