/**
 * Longest host, and part of one between dots, as they are written. A name has 253 characters at most, and 63 in a part (RFC 1035, 2.3.4);
 * escapes and characters that readers drop can make it longer as written, which nobody does.
 */
const LONGEST_HOST = 300
const ENDLESS_PART = /[^.\u3002\uff0e\uff61]{101}/

/** The host of an address with a scheme of the web, or with the scheme of its page, as it is written. */
const AUTHORITY = /^[\0- ]*(?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,})([^\\/?#]*)/i

function writtenHost(text: string): string {
  // Readers of addresses drop these wherever they stand.
  const plain = /[\t\n\r]/.test(text) ? text.replace(/[\t\n\r]/g, '') : text
  const authority = AUTHORITY.exec(plain)?.[1] ?? ''
  return authority.slice(authority.lastIndexOf('@') + 1)
}

/** Matches what no host has. */
const NO_HOST = /[ <>^|]/

/**
 * What a text is whose host nobody finds: it is not parsed, because that takes a time that grows with the square of a part of an international
 * name.
 */
export function endlessHost(text: string): 'address' | 'no address' | undefined {
  const host = writtenHost(text)
  if (host.length <= LONGEST_HOST && !ENDLESS_PART.test(host)) return undefined
  return NO_HOST.test(host) ? 'no address' : 'address'
}

/** `URL.parse`, but for addresses with an endless host, which are none. */
export const parseAddress = (text: string, base?: string): URL | null =>
  endlessHost(text) === undefined ? URL.parse(text, base) : null
