import type { Notice } from '../notice.ts'
import type { Part, Section } from './sections.ts'
import {
  changeWords,
  closing,
  CORRECTION,
  dayWords,
  lastingWords,
  moreWords,
  oneLine,
  opening,
  partWords,
  pointer,
  sourceWords,
} from './words.ts'

const BODY = 'font-family: sans-serif; font-size: 15px; line-height: 1.45; color: #1a1a1a; max-width: 50em'
const TABLE = 'border-collapse: collapse; margin: 0 0 4px'
const CELL = 'border-bottom: 1px solid #d0d0d0; padding: 3px 16px 3px 0; text-align: left; vertical-align: top'
const SMALL = 'color: #595959; font-size: 13px; margin: 0 0 12px'

/** The HTML of a notice: tables and inline styles, nothing that is fetched. */
export function htmlOf(notice: Notice, sections: readonly Section[]): string {
  const more = moreWords(sections)
  const blocks = [
    paragraph(opening(notice)),
    ...sections.filter(({ parts }) => parts.length > 0).flatMap(sectionBlocks),
    ...(more === undefined ? [] : [paragraph(more)]),
    `<p>The figures of these days for a program: <code>${escaped(pointer(sections))}</code></p>`,
    paragraph(closing(notice), SMALL),
  ]
  const head = '<head><meta charset="utf-8"><title>Change of rates</title></head>'
  return `<!doctype html>\n<html lang="en">${head}\n<body style="${BODY}">\n${blocks.join('\n')}\n</body></html>\n`
}

function sectionBlocks({ pricingCode, from, correction, parts }: Section): string[] {
  return [
    `<h2>${escaped(`${pricingCode} from ${dayWords(from)}`)}</h2>`,
    ...(correction ? [`<p><strong>${escaped(CORRECTION)}</strong></p>`] : []),
    ...parts.flatMap((part) => partBlocks(part, from)),
  ]
}

function partBlocks(part: Part, from: string): string[] {
  const { ruleId, changes } = part
  const source = sourceWords(part.sources)
  const id = ruleId === undefined ? '' : ` <small>${escaped(ruleId)}</small>`
  const rows = changes.map((change) => {
    const { was, is } = changeWords(change)
    return row('td', [change.label, was, `${is}${lastingWords(change)}`])
  })
  return [
    `<h3>${escaped(partWords(part))}${id}</h3>`,
    `<table style="${TABLE}">\n${[row('th', ['', 'before', `from ${dayWords(from)}`]), ...rows].join('\n')}\n</table>`,
    ...(source === undefined ? [] : [paragraph(`Source: ${source}`, SMALL)]),
  ]
}

const row = (cell: 'td' | 'th', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${cell} style="${CELL}">${escaped(text)}</${cell}>`).join('')}</tr>`

const paragraph = (text: string, style?: string): string =>
  `<p${style === undefined ? '' : ` style="${style}"`}>${escaped(text)}</p>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => oneLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
