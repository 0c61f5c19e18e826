import type { Block } from './document.ts'
import { oneLine } from './words.ts'

/** The plain text of a notice. */
export function textOf(blocks: readonly Block[]): string {
  const texts = blocks.map((block, at) => `${at === 0 ? '' : gapBefore(block, blocks[at - 1]!)}${linesOf(block)}`)
  return `${texts.join('\n')}\n`
}

/** No empty line separates a table from its heading, or a source from its table. */
function gapBefore(block: Block, last: Block): string {
  const isJoined =
    last.kind === 'heading' || (block.kind === 'source' && (last.kind === 'table' || last.kind === 'source'))
  return isJoined ? '' : '\n'
}

function linesOf(block: Block): string {
  switch (block.kind) {
    case 'list':
      return block.lines.map((line) => `- ${oneLine(line)}`).join('\n')
    case 'table':
      return block.rows.map(({ label, was, is }) => `  ${oneLine(label)}: ${oneLine(was)} → ${oneLine(is)}`).join('\n')
    case 'link':
      return `${oneLine(block.text)}: ${oneLine(block.url)}`
    case 'title': {
      const text = oneLine(block.text)
      return `${text}\n${'='.repeat(text.length)}`
    }
    case 'source':
      return `  ${oneLine(block.text)}`
    default:
      return oneLine(block.text)
  }
}
