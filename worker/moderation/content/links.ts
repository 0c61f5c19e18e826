import { linkifyit, type LinkifyIt } from 'linkify-it'

/**
 * Top-level domains that make a name an address even without a scheme. The list is not complete on purpose: when a
 * writer omits the space between two sentences, `good car.it has` would be an Italian address.
 */
export const ENDS = 'com net org au nz biz info shop store online website site io co app xyz melbourne sydney'.split(
  ' ',
)

const links: LinkifyIt = linkifyit({ fuzzyLink: true, fuzzyEmail: true, tlds: ENDS, maxLength: 320 })

/** The end of a host without a scheme. */
const HOST_END = `\\.(?:${links.re.get_tld().source})${links.re.get_host_terminator().source}`

/**
 * What every link found by the library contains. Few texts contain any of it, and the library takes a hundred times as
 * long.
 */
const MAY_HAVE_ONE = new RegExp(`@|(?:https?|ftp|mailto):|${HOST_END}`, 'i')

/**
 * A text in parts, so that only parts that may have a link cost the time of the library. It finds no link with white space or a
 * control character within, and sees these as it sees the end of a text.
 */
const EACH_PART = /[^\p{Z}\p{Cc}][^]{0,500}[^\p{Z}\p{Cc}]*/gu
/** Characters behind a link that say whether it is one. */
const BEHIND = 20

/** The address of a web page or a mailbox, as written in a text. */
export interface Link {
  isMailbox: boolean
  text: string
}

/** The first link in a text that is not a coincidence; undefined when there is none. */
export function firstLink(text: string): Link | undefined {
  if (!MAY_HAVE_ONE.test(text)) return undefined
  for (const { 0: part, index } of text.matchAll(EACH_PART)) {
    const end = index + part.length
    const found = MAY_HAVE_ONE.test(part) ? firstIn(part, text.slice(end, end + BEHIND)) : undefined
    if (found) return found
  }
  return undefined
}

/** The first link found by the library in the whole text. */
export const firstByLibrary = (text: string): Link | undefined => firstIn(text, '')

/** Behind `//`, which mostly stands between words, only these ends make a link. */
const AFTER_SLASHES = new RegExp(`^//[^/?#]{1,253}\\.(?:${ENDS.join('|')})(?![^/?#:])`, 'i')

/** The first link in a part of a text. */
function firstIn(part: string, rest: string): Link | undefined {
  const behind = ({ lastIndex }: { lastIndex: number }) =>
    (part.slice(lastIndex, lastIndex + BEHIND) + rest).slice(0, BEHIND)
  const found = links
    .match(part)
    ?.find(
      (match) =>
        (match.schema !== '//' || AFTER_SLASHES.test(match.text)) &&
        !isSentenceEnd(match.text) &&
        !isOfCar(match.text, behind(match)),
    )
  return found && { isMailbox: found.schema === 'mailto:', text: found.text }
}

/** Matches `great car.Net price`: a word, then a capital and small letters. */
const isSentenceEnd = (text: string): boolean =>
  /^(?:\/\/)?[\w-]+\.[A-Z][a-z]+$/.test(text) || STATE.test(text) || VERSION.test(text)

/**
 * Matches `LOW KMS.NET PRICE` and `Great car.AU delivered`: a net price or the country behind a word about cars; `JOESCARS.NET PRICE`
 * stays an address.
 */
function isOfCar(link: string, behind: string): boolean {
  if (/\.net$/i.test(link)) return ABOUT_CARS.test(link) && /^\s{1,3}(?:prices?|of|costs?|amount)\b/i.test(behind)
  return /\.AU$/.test(link) && ABOUT_CARS.test(link) && OF_COUNTRY.test(behind)
}
const ABOUT_CARS =
  /^(?:kms?|cars?|utes?|vans?|suvs?|sedan|wagon|hatch|price|deal|sale|condition|rego|rwc|warranty|charges|costs|(?:ex-)?demos?|stock|rrp|thousands)\.(?:net|au)$/i
const OF_COUNTRY = /^\s{1,3}(?:delivered|delivery|stock|specs?|compliance|complied|built|sold|new|model|plates?)\b/i

/** Matches `VIC.AU delivered`: a state and the country. */
const STATE = /^(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT)\.AU$/

/** Matches `2024.8.app`: the version of the software of a car. */
const VERSION = /^v?\d{1,4}(?:\.\d{1,4}){1,3}\.(?:app|io|info)$/i
