import { findAccount } from './accounts.ts'
import { findDealerHost } from './dealer-hosts.ts'
import { ENDS, firstLink } from './links.ts'
import { findPhoneNumber } from './phone-numbers.ts'

/** A phone number, mailbox, address or account in a text. */
export interface ContactDetail {
  what: 'an e-mail address' | 'a phone number' | 'a web address' | 'a social media account'
  text: string
}

/** The host may have spaces or commas for its dots: no sentence has `com au` in it. */
const WWW =
  /\bwww\d?\s?\.\s?[a-z0-9-]{1,63}\.[a-z]{2,24}|\bwww[ ,]{1,2}[a-z0-9-]{2,63}[ ,]{1,2}(?:com|net|org)\b|\b[a-z0-9-]{2,63}[ ,]{1,2}(?:com|net)[ ,]{1,2}au\b/i

/** Names of countries that share a word with no sentence: `dealer.co.uk`, not `Motor.Co.It has`. */
const SECOND_LEVEL = /(?<![\w.-])[a-z0-9-]{2,63}\.(?:co|com|org|net)\.(?:uk|nz|za|jp|kr|sg|hk)(?![\w-])/i
/** A scheme that readers repair: `hxxps://dealer.xyz`. */
const DISGUISED_SCHEME = /\bh(?:xx|\*\*)ps?\[?:\]?\/\/[\w.-]{3,63}/i
/** Hosts of short links and chats whose top-level domains are too common to count for every host, such as `call.me`. */
const SHORT_LINK =
  /(?<![\w'’.-])(?:bit\.ly|t\.me|wa\.me|m\.me|fb\.me|(?:[a-z]{1,9}\.){0,2}goo\.gl|discord\.gg|forms\.gle|g\.page|wa\.link|instagr\.am|fb\.watch|linkin\.bio|lnk\.bio|lnkd\.in|linktr\.ee|youtu\.be|is\.gd|ow\.ly|rb\.gy|cutt\.ly|shorturl\.at|rebrand\.ly|buff\.ly|tiny\.cc)(?![\w-])(?:\/[\w/-]{0,60})?/i

const ADDRESSES = [WWW, SHORT_LINK, SECOND_LEVEL, DISGUISED_SCHEME]

/**
 * A mailbox whose end is missing or written with another sign: `joe @gmail`, `joe@gmail,com`, `joe at gmail`, `joe@joescars com`. `At`
 * counts before names that are nothing but providers of mail.
 */
const MAILBOX =
  /(?<![\w.+-])[a-z\d][\w.+-]{1,40}(?:\s{0,2}@\s{0,2}(?:gmail|hotmail|bigpond|icloud|protonmail|optusnet)\b|@(?:outlook|yahoo)\b|\sat\s(?:gmail|hotmail|protonmail)\b|@[a-z][a-z\d-]{1,62}[ ,]com\b)/i

/** The full stop of Chinese and Japanese, which browsers read as the dot of an address (UTS #46). */
const IDEOGRAPHIC_DOT = /(?<=[a-z\d-])\u3002(?=[a-z\d])/gi

/**
 * Sites of awards and of safety ratings, which dealers quote by their addresses: `drive.com.au Car of the Year`. The bare address
 * leads to no dealer. Sites that are known for their advertisements are not listed: `carsales.com.au` tells where to find the dealer.
 */
const SITES = ['ancap.com.au', 'drive.com.au', 'greenvehicleguide.gov.au', 'howsafeisyourcar.com.au', 'whichcar.com.au']
const MAY_QUOTE = /\.(?:com|gov)\.au/i
/** Bare: behind a scheme, an `at` or an `on`, or with a path, it may lead to an advertisement or a mailbox there. */
const QUOTED = new RegExp(
  `(?<![\\p{L}\\p{N}_.@/:\\\\-]|(?<![\\p{L}\\p{N}])(?:at|on|via|visit)\\s{1,3}|@\\s{1,3})(?:${SITES.map((site) => site.replaceAll('.', '\\.')).join('|')})(?![\\p{L}\\p{N}_@/:\\\\?#-]|\\.[\\p{L}\\p{N}])`,
  'giu',
)

const withoutQuotedSites = (text: string): string => (MAY_QUOTE.test(text) ? text.replace(QUOTED, 'a site') : text)

/** The first contact detail in a plain text; undefined when there is none. */
export function findContactDetail(text: string): ContactDetail | undefined {
  const phone = findPhoneNumber(text)
  if (phone !== undefined) return { what: 'a phone number', text: phone }
  const account = findAccount(text)
  if (account !== undefined) return { what: 'a social media account', text: account }
  const own = withoutQuotedSites(text)
  const link = findLink(own)
  if (link) return link
  const other = uncovered(own)
  return other === own ? undefined : findLink(other)
}

/** The address of a provider and nothing else, such as `redbook.com.au` or `Powered by carsales.com.au`. */
const PROVIDER =
  /^\s{0,9}(?:(?:\p{L}{1,20}\s)?(?:powered|provided|supplied|sourced|data|specs|specifications)\s(?:by|from|via)\s)?(?:https?:\/\/)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}\/?\s{0,9}$/iu

/** The first contact detail in the name of a provider, who may be named by the address of its site. */
export function findContactOfProvider(text: string): ContactDetail | undefined {
  const found = findContactDetail(text)
  return found?.what === 'a web address' && PROVIDER.test(text) ? undefined : found
}

/** A company whose name is the address of a site, such as `Carsales.com.au Pty Ltd`. */
const COMPANY =
  /^\s{0,9}(?!www)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,3}\s(?:(?:pty\.?\s)?(?:ltd|limited)|p\/l)\.?\s{0,9}$/i

/** The first contact detail in the name of a business, a person or a place. */
export function findContactOfName(text: string): ContactDetail | undefined {
  const found = findContactDetail(text)
  return found?.what === 'a web address' && COMPANY.test(text) ? undefined : found
}

function findLink(text: string): ContactDetail | undefined {
  for (const form of ADDRESSES) {
    const address = form.exec(text)?.[0]
    if (address !== undefined) return { what: 'a web address', text: address }
  }
  const mailbox = MAILBOX.exec(text)?.[0]
  if (mailbox !== undefined) return { what: 'an e-mail address', text: mailbox }
  const host = findDealerHost(text)
  if (host !== undefined) return { what: 'a web address', text: host }
  const link = firstLink(text)
  return link && { what: link.isMailbox ? 'an e-mail address' : 'a web address', text: link.text }
}

const BRACKETED_AT = /\s{0,3}[[({<]\s{0,3}(?:at|@)\s{0,3}[\])}>]\s{0,3}/gi
const BRACKETED_DOT = /\s{0,3}[[({<]\s{0,3}(?:dot|\.)\s{0,3}[\])}>]\s{0,3}/gi
const SPOKEN_DOT = new RegExp(
  `(?:\\s{1,3}(?:dot|\\.)\\s{1,3}|-dot-)(?=(?:${ENDS.join('|')})\\b)|(?<=[a-z\\d])\\s{1,3}\\.(?=(?:com|net\\.au|org)\\b)`,
  'gi',
)
/** Matched only before a name with a known top-level domain: `look at our range` is not an address. */
const SPOKEN_AT = new RegExp(
  `\\s{1,3}(?:at|@)\\s{1,3}(?=[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,3}\\.(?:${ENDS.join('|')})\\b)`,
  'gi',
)

/** Small letters of Cyrillic that look like Latin ones, beside a Latin letter, a digit or the dot of an address. */
const LIKE_LATIN = /(?<=[a-z\d-]\.?)[асеорхуіј]{1,9}|[асеорхуіј]{1,9}(?=\.?[a-z\d])/gi
const LATIN: Record<string, string> = { а: 'a', с: 'c', е: 'e', о: 'o', р: 'p', х: 'x', у: 'y', і: 'i', ј: 'j' }

/** Rewrites `sales (at) example dot com`, `example。com` and `example.cоm` (with a Cyrillic о) as the address it stands for. */
function uncovered(text: string): string {
  const latin = text.replace(LIKE_LATIN, (letters) => letters.toLowerCase().replace(/./g, (letter) => LATIN[letter]!))
  const dotted = latin.replace(BRACKETED_AT, '@').replace(BRACKETED_DOT, '.').replace(SPOKEN_DOT, '.')
  return dotted.replace(IDEOGRAPHIC_DOT, '.').replace(SPOKEN_AT, '@')
}
