import { ENDS, firstLink } from './links.ts'
import { findPhoneNumber } from './phone-numbers.ts'

/** A phone number, mailbox, address or account in a text. */
export interface ContactDetail {
  what: 'an e-mail address' | 'a phone number' | 'a web address' | 'a social media account'
  text: string
}

const WWW = /\bwww\d?\s?\.\s?[a-z0-9-]{1,63}\.[a-z]{2,24}/i

/** Hosts of short links and chats whose top-level domains are too common to count for every host, such as `call.me`. */
const SHORT_LINK =
  /(?<![\w'’.-])(?:bit\.ly|t\.me|wa\.me|m\.me|fb\.me|goo\.gl|lnkd\.in|linktr\.ee|youtu\.be|is\.gd|ow\.ly)(?![\w-])(?:\/[\w/-]{0,60})?/i

const NETWORK = '(?:instagram|insta|ig|facebook|fb|snapchat|tiktok|twitter|telegram|whatsapp|wechat|skype)'
/** Matches `insta @joes` and `IG: joesautos`. */
const ACCOUNT = new RegExp(
  `\\b${NETWORK}\\b[\\s:-]{0,3}@[\\w.]{2,30}|\\b(?:insta|ig|wechat|skype)\\s?:\\s?[a-z][\\w.]{2,30}`,
  'i',
)

/** The first contact detail in a plain text; undefined when there is none. */
export function findContactDetail(text: string): ContactDetail | undefined {
  const phone = findPhoneNumber(text)
  if (phone !== undefined) return { what: 'a phone number', text: phone }
  const account = ACCOUNT.exec(text)?.[0]
  if (account !== undefined) return { what: 'a social media account', text: account }
  const link = findLink(text)
  if (link) return link
  const other = uncovered(text)
  return other === text ? undefined : findLink(other)
}

/** The address of a provider and nothing else, such as `redbook.com.au` or `Powered by carsales.com.au`. */
const PROVIDER =
  /^\s{0,9}(?:\p{L}{1,20}\s(?:\p{L}{1,20}\s)?(?:by|from|via)\s)?(?:https?:\/\/)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}\/?\s{0,9}$/iu

/** The first contact detail in the name of a provider, who may be named by the address of its site. */
export function findContactOfProvider(text: string): ContactDetail | undefined {
  const found = findContactDetail(text)
  return found?.what === 'a web address' && PROVIDER.test(text) ? undefined : found
}

function findLink(text: string): ContactDetail | undefined {
  const www = (WWW.exec(text) ?? SHORT_LINK.exec(text))?.[0]
  if (www !== undefined) return { what: 'a web address', text: www }
  const link = firstLink(text)
  return link && { what: link.isMailbox ? 'an e-mail address' : 'a web address', text: link.text }
}

const BRACKETED_AT = /\s{0,3}[[({<]\s{0,3}(?:at|@)\s{0,3}[\])}>]\s{0,3}/gi
const BRACKETED_DOT = /\s{0,3}[[({<]\s{0,3}(?:dot|\.)\s{0,3}[\])}>]\s{0,3}/gi
const SPOKEN_DOT = new RegExp(`\\s{1,3}(?:dot|\\.)\\s{1,3}(?=(?:${ENDS.join('|')})\\b)`, 'gi')
/** Matched only before a name with a known top-level domain: `look at our range` is not an address. */
const SPOKEN_AT = new RegExp(
  `\\s{1,3}(?:at|@)\\s{1,3}(?=[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,3}\\.(?:${ENDS.join('|')})\\b)`,
  'gi',
)

/** Rewrites `sales (at) example dot com` as the address it stands for. */
function uncovered(text: string): string {
  const dotted = text.replace(BRACKETED_AT, '@').replace(BRACKETED_DOT, '.').replace(SPOKEN_DOT, '.')
  return dotted.replace(SPOKEN_AT, '@')
}
