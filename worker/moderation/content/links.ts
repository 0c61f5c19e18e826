import { linkifyit, type LinkifyIt } from 'linkify-it'

/**
 * Top-level domains that make a name an address even without a scheme. The list is not complete on purpose: when a
 * writer omits the space between two sentences, `good car.it has` would be an Italian address.
 */
export const ENDS = 'com net org au nz biz info shop store online website site io co app xyz melbourne sydney'.split(
  ' ',
)

const links: LinkifyIt = linkifyit({ fuzzyLink: true, fuzzyEmail: true, tlds: ENDS, maxLength: 320 })

/**
 * What every link found by the library contains. Few texts contain any of it, and the library takes a hundred times as
 * long.
 */
const MAY_HAVE_ONE = new RegExp(`@|(?:https?|ftp|mailto):|\\.(?:xn--|${ENDS.join('|')})`, 'i')

/** The address of a web page or a mailbox, as written in a text. */
export interface Link {
  isMailbox: boolean
  text: string
}

/** The first link in a text that is not a coincidence; undefined when there is none. */
export function firstLink(text: string): Link | undefined {
  return MAY_HAVE_ONE.test(text) ? firstByLibrary(text) : undefined
}

/** The first link found by the library. Links that start with `//` are mostly slashes between words. */
export function firstByLibrary(text: string): Link | undefined {
  const found = links
    .match(text)
    ?.find((match) => match.schema !== '//' && !isSentenceEnd(match.text) && !isOfCar(match, text))
  return found && { isMailbox: found.schema === 'mailto:', text: found.text }
}

/** Matches `great car.Net price`: a word, then a capital and small letters. */
const isSentenceEnd = (text: string): boolean =>
  /^[\w-]+\.[A-Z][a-z]+$/.test(text) || STATE.test(text) || VERSION.test(text)

/**
 * Matches `LOW KMS.NET PRICE` and `Great car.AU delivered`: a net price or the country behind a word about cars; `JOESCARS.NET PRICE`
 * stays an address.
 */
function isOfCar({ text: link, lastIndex }: { text: string; lastIndex: number }, text: string): boolean {
  const behind = text.slice(lastIndex, lastIndex + 20)
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
