import { linkifyit, type LinkifyIt } from 'linkify-it'

/**
 * Ends of a name without a scheme that count as an address. Not all there are: a sentence that begins without a space
 * after the last one would be an address of Italy in `good car.it has`.
 */
export const ENDS = 'com net org au nz biz info shop store online website site io co app melbourne sydney'.split(' ')

const links: LinkifyIt = linkifyit({ fuzzyLink: true, fuzzyEmail: true, tlds: ENDS, maxLength: 320 })

/** What every link of the library has. Few texts have any of it, and the library takes a hundred times as long to say so. */
const MAY_HAVE_ONE = new RegExp(`@|(?:https?|ftp|mailto):|\\.(?:xn--|${ENDS.join('|')})`, 'i')

/** An address of the web or of a mailbox, as it is written in a text. */
export interface Link {
  isMailbox: boolean
  text: string
}

/** The first link in a text that is none by chance, undefined where there is none. */
export function firstLink(text: string): Link | undefined {
  return MAY_HAVE_ONE.test(text) ? firstByLibrary(text) : undefined
}

/** The library's own answer; of its links, those that begin with `//` are mostly slashes between words. */
export function firstByLibrary(text: string): Link | undefined {
  const found = links.match(text)?.find((match) => match.schema !== '//' && !isSentenceEnd(match.text))
  return found && { isMailbox: found.schema === 'mailto:', text: found.text }
}

/** `great car.Net price`: one word, then a capital and small letters. */
const isSentenceEnd = (text: string): boolean => /^[\w-]+\.[A-Z][a-z]+$/.test(text) || STATE.test(text)

/** `VIC.AU delivered`: a state and its country. */
const STATE = /^(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT)\.AU$/
