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

/** The plain text of a notice, in lines. */
export function textOf(notice: Notice, sections: readonly Section[]): string {
  const more = moreWords(sections)
  const lines = [
    opening(notice),
    ...sections.filter(({ parts }) => parts.length > 0).flatMap(sectionLines),
    '',
    ...(more === undefined ? [] : [more]),
    `The figures of these days for a program: ${pointer(sections)}`,
    '',
    closing(notice),
  ]
  return `${lines.join('\n')}\n`
}

function sectionLines({ pricingCode, from, correction, parts }: Section): string[] {
  const heading = `${pricingCode} from ${dayWords(from)}`
  return ['', heading, '='.repeat(heading.length), ...(correction ? [CORRECTION] : []), ...parts.flatMap(partLines)]
}

function partLines(part: Part): string[] {
  const { ruleId, changes } = part
  const source = sourceWords(part.sources)
  return [
    '',
    oneLine(partWords(part)) + (ruleId === undefined ? '' : ` [${ruleId}]`),
    ...changes.map((change) => {
      const { was, is } = changeWords(change)
      return `  ${oneLine(change.label)}: ${oneLine(was)} → ${oneLine(`${is}${lastingWords(change)}`)}`
    }),
    ...(source === undefined ? [] : [`  source: ${source}`]),
  ]
}
