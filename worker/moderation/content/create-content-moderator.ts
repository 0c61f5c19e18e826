import type { Item } from '#inventory/batch.ts'
import { pointerOf } from '#inventory/place.ts'
import type { ContentFault, ContentModerator } from '../types.ts'
import { withoutAllowed, type WithoutAllowed } from './allowed-words.ts'
import { createCleanItems, createCleanTexts, digestOfItem, type CleanTexts } from './clean-texts.ts'
import { findContactDetail, findContactOfName, findContactOfProvider, type ContactDetail } from './contact-details.ts'
import { withoutEntities } from './entities.ts'
import { findMarkup, findUnsafeScheme, findWritten } from './markup.ts'
import { plainText, quoted } from './plain-text.ts'
import { findProfanity } from './profanity.ts'
import { visitTexts, wordsBeside, type TextKind } from './texts-of-item.ts'

const MOST_FAULTS = 20
const MOST_FLAGS = 5

/** The rules for texts: no markup anywhere; no profanity and no contact details in texts that people read. */
export function createContentModerator(): ContentModerator {
  const known = { texts: createCleanTexts(), items: createCleanItems() }
  const allowedBy = allowance()
  return {
    check: (item, allowedWords, json) => {
      const digest = json === undefined ? undefined : digestOfItem(json)
      if (digest !== undefined && known.items.has(digest)) return []
      const { faults, isClean } = checkTexts(item, known.texts, allowedBy(allowedWords))
      if (digest !== undefined && isClean) known.items.add(digest)
      return faults
    },
  }
}

/** Creates the search for allowed words once for all items of a batch, which share one list. */
function allowance(): (words?: readonly string[]) => WithoutAllowed {
  const made = new WeakMap<readonly string[], WithoutAllowed>()
  return (words = []) => {
    const known = made.get(words) ?? withoutAllowed(words)
    made.set(words, known)
    return known
  }
}

/** `isClean`: nothing was found, not even what this client may write. */
interface CheckedTexts {
  faults: readonly ContentFault[]
  isClean: boolean
}

function checkTexts(item: Item, clean: CleanTexts, allowed: WithoutAllowed): CheckedTexts {
  const faults: ContentFault[] = []
  const flags: ContentFault[] = []
  let isClean = true
  visitTexts(item, (text, kind, place) => {
    if (clean.has(kind, text)) return false
    const readings = readingsOf(text)
    const found = [...checkReadings(kind, readings), ...markupOf(readings, text)]
    // Only a text that is clean for every client is stored, not one that is clean because its client may use a
    // word.
    if (found.length === 0) clean.add(kind, text)
    else isClean = false
    const left = found.some(isProfanity) ? allowing(allowed, kind, readings, found) : found
    for (const fault of left) (fault.isFlag ? flags : faults).push({ path: pointerOf(place), ...fault })
    return faults.length >= MOST_FAULTS
  })
  return { faults: [...faults.slice(0, MOST_FAULTS), ...flags.slice(0, MOST_FLAGS)], isClean }
}

type Finding = Omit<ContentFault, 'path'>

/** A text as it stands, and as a page shows it that decodes its entities, where that is another. */
interface Readings {
  plain: string
  decoded: string | undefined
}

function readingsOf(text: string): Readings {
  const decoded = withoutEntities(text)
  const plain = plainText(text)
  return { plain, decoded: decoded === text ? undefined : plainText(decoded) }
}

/** The findings in both readings of a text, each kind of fault once. */
function checkReadings(kind: TextKind, { plain, decoded }: Readings): Finding[] {
  const found = checkText(kind, plain)
  if (decoded === undefined) return found
  const isNew = ({ code }: Finding) => found.every((each) => each.code !== code)
  return [...found, ...checkText(kind, decoded).filter(isNew)]
}

function checkText(kind: TextKind, text: string): Finding[] {
  return RULES[kind].flatMap((find) => find(text) ?? [])
}

/**
 * The findings in a text that remain for a client that may use some words: another profane word, and all other
 * findings.
 */
function allowing(
  allowed: WithoutAllowed,
  kind: TextKind,
  readings: Readings,
  findings: readonly Finding[],
): Finding[] {
  const { plain, decoded } = readings
  const rest = { plain: allowed(plain), decoded: decoded === undefined ? undefined : allowed(decoded) }
  if (rest.plain === undefined && rest.decoded === undefined) return [...findings]
  const others = checkReadings(kind, { plain: rest.plain ?? plain, decoded: rest.decoded ?? decoded })
  return [...findings.filter((each) => !isProfanity(each)), ...others.filter(isProfanity)]
}

const isProfanity = ({ code }: Finding) => code === 'PROFANITY'

type Rule = (text: string) => Finding | undefined

/**
 * The markup in a text, or in the same text as sent, which a browser reads: in the plain text a full-width `>` ends a tag, and
 * a stroke behind a `>` makes another sign of it.
 */
function markupOf({ plain, decoded }: Readings, sent: string): Finding[] {
  const found =
    findMarkup(plain) ??
    (sent === plain ? undefined : findMarkup(sent)) ??
    (decoded === undefined ? undefined : findWritten(decoded))
  return found === undefined ? [] : [{ code: 'MARKUP', message: `The text has markup: ${quoted(found)}.` }]
}

const ADVICE = 'If it is a name, it can be allowed (allowedWords).'

const profanity: Rule = (text) => {
  const found = findProfanity(text)
  return found === undefined
    ? undefined
    : { code: 'PROFANITY', message: `The text has a profane word: ${quoted(found)}. ${ADVICE}` }
}

/** Names of people, towns and businesses may contain such words: `Dick’s Automotive`, Cockburn, Wanker’s Corner. */
const flaggedProfanity: Rule = (text) => {
  const fault = profanity(text)
  return fault && { ...fault, isFlag: true }
}

const contactBy =
  (find: (text: string) => ContactDetail | undefined): Rule =>
  (text) => {
    const found = find(text)
    return found && { code: 'CONTACT_DETAILS', message: `The text has ${found.what}: ${quoted(found.text)}.` }
  }

const unsafeLink: Rule = (text) => {
  const found = findUnsafeScheme(text)
  return found === undefined
    ? undefined
    : { code: 'UNSAFE_LINK', message: `The link begins with ${quoted(found)}; it must be http or https.` }
}

/** What people read of a code or an address: `Ring me on 0412 345 678` is neither, whatever its field is called. */
const inWords =
  (rule: Rule): Rule =>
  (text) => {
    const words = wordsBeside(text)
    return words === undefined ? undefined : rule(words)
  }

const CODE = [profanity, contactBy(findContactDetail)].map(inWords)

const RULES: Record<TextKind, readonly Rule[]> = {
  prose: [profanity, contactBy(findContactDetail)],
  name: [flaggedProfanity, contactBy(findContactOfName)],
  provider: [profanity, contactBy(findContactOfProvider)],
  link: [unsafeLink, ...CODE],
  opaque: CODE,
}
