import type { Block } from './document.ts'
import { oneLine } from './words.ts'

const BODY = 'font-family: sans-serif; font-size: 15px; line-height: 1.45; color: #1a1a1a; max-width: 50em'
const STYLE =
  'table{border-collapse:collapse;margin:0 0 4px}' +
  'td,th{border-bottom:1px solid #d0d0d0;padding:3px 16px 3px 0;text-align:left;vertical-align:top}' +
  '.s{color:#595959;font-size:13px;margin:0 0 12px}'

/** The HTML of a notice: tables and one short style; it loads nothing. */
export function htmlOf(blocks: readonly Block[]): string {
  const head = `<head><meta charset="utf-8"><title>Change of rates</title><style>${STYLE}</style></head>`
  return `<!doctype html>\n<html lang="en">${head}\n<body style="${BODY}">\n${bodyOf(blocks)}\n</body></html>\n`
}

/** The same without what stands around it. */
export const bodyOf = (blocks: readonly Block[]): string => blocks.map(htmlOfBlock).join('\n')

const TAGS = { paragraph: 'p', heading: 'h3', title: 'h2' } as const

function htmlOfBlock(block: Block): string {
  switch (block.kind) {
    case 'list':
      return `<ul>${block.lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`
    case 'table': {
      const rows = block.rows.map(({ label, was, is }) => row('td', [label, was, is]))
      return `<table>\n${[row('th', block.head), ...rows].join('\n')}\n</table>`
    }
    case 'link':
      return `<p>${escaped(block.text)}: <a href="${escaped(block.url)}">${escaped(block.url)}</a></p>`
    case 'small':
    case 'source':
      return `<p class="s">${escaped(block.text)}</p>`
    case 'strong':
      return `<p><strong>${escaped(block.text)}</strong></p>`
    default:
      return `<${TAGS[block.kind]}>${escaped(block.text)}</${TAGS[block.kind]}>`
  }
}

const row = (cell: 'td' | 'th', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${cell}>${escaped(text)}</${cell}>`).join('')}</tr>`

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => oneLine(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!)
