import type { Item } from '#inventory/batch.ts'
import type { ContentFault, ContentModerator } from '../types.ts'
import { createCleanTexts, type CleanTexts } from './clean-texts.ts'
import { findContactDetail } from './contact-details.ts'
import { findMarkup, findUnsafeScheme } from './markup.ts'
import { plainText, quoted } from './plain-text.ts'
import { findProfanity } from './profanity.ts'
import { pointerOf, visitTexts, type TextKind } from './texts-of-item.ts'

const MOST_FAULTS = 20
const MOST_FLAGS = 5

/** The rules on texts: no markup anywhere, no profanity and no contact details in what people read. */
export function createContentModerator(): ContentModerator {
  const clean = createCleanTexts()
  return { check: (item) => checkTexts(item, clean) }
}

function checkTexts(item: Item, clean: CleanTexts): readonly ContentFault[] {
  const faults: ContentFault[] = []
  const flags: ContentFault[] = []
  visitTexts(item, (text, kind, place) => {
    if (clean.has(kind, text)) return false
    const found = checkText(kind, text)
    if (found.length === 0) clean.add(kind, text)
    for (const fault of found) (fault.isFlag ? flags : faults).push({ path: pointerOf(place), ...fault })
    return faults.length >= MOST_FAULTS
  })
  return [...faults.slice(0, MOST_FAULTS), ...flags.slice(0, MOST_FLAGS)]
}

type Finding = Omit<ContentFault, 'path'>

function checkText(kind: TextKind, text: string): Finding[] {
  const plain = plainText(text)
  return RULES[kind].flatMap((find) => find(plain) ?? [])
}

type Rule = (text: string) => Finding | undefined

const markup: Rule = (text) => {
  const found = findMarkup(text)
  return found === undefined ? undefined : { code: 'MARKUP', message: `The text has markup: ${quoted(found)}.` }
}

const profanity: Rule = (text) => {
  const found = findProfanity(text)
  return found === undefined
    ? undefined
    : { code: 'PROFANITY', message: `The text has a profane word: ${quoted(found)}.` }
}

/** People, towns and businesses have the names that they have: `Dick’s Automotive`, Cockburn, Wanker’s Corner. */
const flaggedProfanity: Rule = (text) => {
  const fault = profanity(text)
  return fault && { ...fault, isFlag: true }
}

const contact: Rule = (text) => {
  const found = findContactDetail(text)
  return found && { code: 'CONTACT_DETAILS', message: `The text has ${found.what}: ${quoted(found.text)}.` }
}

const unsafeLink: Rule = (text) => {
  const found = findUnsafeScheme(text)
  return found === undefined
    ? undefined
    : { code: 'UNSAFE_LINK', message: `The link begins with ${quoted(found)}; it must be http or https.` }
}

const RULES: Record<TextKind, readonly Rule[]> = {
  prose: [profanity, contact, markup],
  name: [flaggedProfanity, contact, markup],
  link: [unsafeLink, markup],
  opaque: [markup],
}
