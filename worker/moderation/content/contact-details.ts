import { ENDS, firstLink } from './links.ts'
import { findPhoneNumber } from './phone-numbers.ts'

/** What a text tells people to call, write to or go to. */
export interface ContactDetail {
  what: 'an e-mail address' | 'a phone number' | 'a web address' | 'a social media account'
  text: string
}

const WWW = /\bwww\d?\s?\.\s?[a-z0-9-]{1,63}\.[a-z]{2,24}/i

/** Hosts of short links and chats, whose ends are too common to count everywhere: `call.me`. */
const SHORT_LINK =
  /(?<![\w'’.-])(?:bit\.ly|t\.me|wa\.me|m\.me|fb\.me|goo\.gl|lnkd\.in|linktr\.ee|youtu\.be|is\.gd|ow\.ly)(?![\w-])(?:\/[\w/-]{0,60})?/i

const NETWORK = '(?:instagram|insta|ig|facebook|fb|snapchat|tiktok|twitter|telegram|whatsapp|wechat|skype)'
/** `insta @joes`, `IG: joesautos`. */
const ACCOUNT = new RegExp(`\\b${NETWORK}\\b[\\s:-]{0,3}@[\\w.]{2,30}|\\b(?:insta|ig|wechat|skype)\\s?:\\s?[a-z][\\w.]{2,30}`, 'i')

/** The first contact detail in a plain text, undefined where there is none. */
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

function findLink(text: string): ContactDetail | undefined {
  const www = (WWW.exec(text) ?? SHORT_LINK.exec(text))?.[0]
  if (www !== undefined) return { what: 'a web address', text: www }
  const link = firstLink(text)
  return link && { what: link.isMailbox ? 'an e-mail address' : 'a web address', text: link.text }
}

const BRACKETED_AT = /\s{0,3}[[({<]\s{0,3}(?:at|@)\s{0,3}[\])}>]\s{0,3}/gi
const BRACKETED_DOT = /\s{0,3}[[({<]\s{0,3}(?:dot|\.)\s{0,3}[\])}>]\s{0,3}/gi
const SPOKEN_DOT = new RegExp(`\\s{1,3}(?:dot|\\.)\\s{1,3}(?=(?:${ENDS.join('|')})\\b)`, 'gi')
/** Only before a name with an end: `look at our range` says nothing. */
const SPOKEN_AT = new RegExp(
  `\\s{1,3}(?:at|@)\\s{1,3}(?=[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,3}\\.(?:${ENDS.join('|')})\\b)`,
  'gi',
)

/** `sales (at) example dot com`, as the address that it stands for. */
function uncovered(text: string): string {
  const dotted = text.replace(BRACKETED_AT, '@').replace(BRACKETED_DOT, '.').replace(SPOKEN_DOT, '.')
  return dotted.replace(SPOKEN_AT, '@')
}
