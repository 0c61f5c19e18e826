import { NOTICE_PAGES_PATH } from '#rates/published/notice-page.ts'
import type { Notice } from '../notice.ts'
import { dayWords } from '#rates/readers/day-words.ts'
import { followerWords, partWords } from './names.ts'
import type { SectionPart, Section } from './sections.ts'
import { correctionWords, lastDayWords, opening, replacementWords, setWords, summaryLines } from './summary.ts'
import {
  behindWords,
  exampleWords,
  lineWords,
  oneLine,
  otherTermWords,
  sourceWords,
  timeWords,
  zoneAmountLines,
} from './words.ts'

/** The content of a mail besides the figures. */
export interface Surroundings {
  /** The public address of the pricing API, which serves the whole text of each notice. */
  pagesUrl?: string
  /** A page with more about the rates. */
  link?: string
  /** A contact for questions; a reader can also answer the mail. */
  contact?: string
  /** Where a reader can stop these mails. */
  unsubscribe?: string
}

/** A piece of a mail, before it is text or HTML. */
export type Block =
  | { kind: 'paragraph' | 'strong' | 'small' | 'source' | 'heading' | 'title'; text: string }
  | { kind: 'list'; lines: string[] }
  | { kind: 'table'; head: [string, string, string]; rows: { label: string; was: string; is: string }[] }
  | { kind: 'link'; text: string; url: string }

/** The most sections for which a mail needs no summary. */
const FEW = 2

/** A notice in reading order: what to do, a summary, the full changes, and a contact. */
export function documentOf(notice: Notice, sections: readonly Section[], around: Surroundings): Block[] {
  const replaced = replacementWords(notice)
  const listed = sections.filter(({ parts, sets }) => parts.length + sets.length > 0)
  const more = sections.reduce((sum, section) => sum + section.more, 0)
  const isShort = sections.length <= FEW && more === 0
  return [
    ...(sections.length === 0 ? [] : [paragraph(opening(notice, sections))]),
    ...(replaced === undefined ? [] : [paragraph(replaced)]),
    ...(isShort ? [] : [{ kind: 'list' as const, lines: summaryLines(sections) }]),
    ...listed.flatMap((section) => sectionBlocks(section, notice)),
    ...furtherBlocks(notice, more, around),
    ...closing(notice, around).map((text) => ({ kind: 'small' as const, text })),
  ]
}

/** The number of unlisted changes, and links to the whole text. */
function furtherBlocks(notice: Notice, more: number, { pagesUrl, link }: Surroundings): Block[] {
  const whole = pagesUrl && pageUrl(notice, pagesUrl)
  const rest = `Not listed here: ${more} more ${more === 1 ? 'change' : 'changes'}.`
  const ask = ' Answer this mail to get the whole list.'
  return [
    ...(more === 0 ? [] : [paragraph(`${rest}${whole ? '' : ask}`)]),
    ...(whole ? [{ kind: 'link' as const, text: 'The whole text of this notice', url: whole }] : []),
    ...(link ? [{ kind: 'link' as const, text: 'More about the rates', url: link }] : []),
  ]
}

/** The address of the whole text of a notice, for the jurisdictions of its client; undefined without a page. */
function pageUrl({ page, changes, more = [] }: Notice, pagesUrl: string): string | undefined {
  if (page === undefined) return undefined
  const codes = [...new Set([...changes, ...more].map(({ pricingCode }) => pricingCode))].sort()
  return `${pagesUrl.replace(/\/+$/, '')}${NOTICE_PAGES_PATH}/${page}?codes=${codes.join(',')}`
}

const paragraph = (text: string): Block => ({ kind: 'paragraph', text })

/** One section: jurisdiction and day, news of whole rate sets, then each part with its source. */
export function sectionBlocks(section: Section, notice: Pick<Notice, 'issuedAt'>): Block[] {
  const { name, from, correction, parts } = section
  return [
    { kind: 'title', text: `${name} from ${dayWords(from)}` },
    ...setWords(section).map(paragraph),
    ...(correction && parts.length > 0 ? [{ kind: 'strong' as const, text: correctionWords(section, notice) }] : []),
    ...lastDayWords(section).map(paragraph),
    ...parts.flatMap((part) => partBlocks(part, from)),
  ]
}

function partBlocks(part: SectionPart, from: string): Block[] {
  const source = sourceWords(part)
  const rows = part.changes.flatMap((change) => {
    const line = lineWords(change)
    return [{ ...line, is: `${line.is}${behindWords(change)}${exampleWords(change)}` }, ...zoneAmountLines(change)]
  })
  return [
    { kind: 'heading', text: partWords(part) },
    { kind: 'table', head: ['', 'before', `from ${dayWords(from)}`], rows },
    ...[...otherTermWords(part), ...followerWords(part), ...(source === undefined ? [] : [source])].map((text) => ({
      kind: 'source' as const,
      text,
    })),
  ]
}

function closing(notice: Notice, { contact, unsubscribe }: Surroundings): string[] {
  const { displayName, client, environment, release, number, issuedAt } = notice
  const which =
    number === undefined || issuedAt === undefined ? '' : `Notice ${number}, issued on ${timeWords(issuedAt)}. `
  const place = environment === '' ? '' : ` in ${environment}`
  const who = displayName === undefined ? `client ${client}` : `${displayName} (client ${client}${place})`
  return [
    `Questions? Answer this mail${contact ? `, or ask ${contact}` : ''}.`,
    `${which}You get this because ${who} asked to be told of changes. To stop these mails, ` +
      `${stopWords(unsubscribe)}. Release ${release}.`,
  ]
}

/** How these mails are stopped, as somebody does it by hand. */
function stopWords(unsubscribe: string | undefined): string {
  if (!unsubscribe) return 'answer this mail'
  if (!unsubscribe.startsWith('mailto:')) return `use ${unsubscribe}`
  const { pathname, searchParams } = new URL(unsubscribe)
  const subject = searchParams.get('subject')
  return `write to ${decodeURIComponent(pathname)}${subject === null ? '' : ` with the subject “${oneLine(subject)}”`}`
}
