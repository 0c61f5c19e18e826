import type { Comparison } from '#rates/diff/compare-sets.ts'
import type { FigureChange } from '#rates/diff/figure-change.ts'
import { oldAndNew } from '#rates/diff/old-and-new.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import type { PriceEffect } from '#rates/diff/prices.ts'
import { counted } from '../output.ts'
import { followerLines } from './follower-lines.ts'
import { amountOf, driveAwayOf, effectGroups, range, releaseWords, setWords, turnsOf, type Turn } from './groups.ts'

/**
 * Longest table, in rows; the remaining rows are counted, so that a comment stays within the limit of the review
 * system.
 */
const MOST_ROWS = 60

/** A comparison as a comment on a pull request. */
export function comparisonMarkdown({ sets, changes, prices, release, today }: Comparison): string {
  if (sets.length === 0) return `## Rates\n\nNothing that is published changes: release \`${release}\`.`
  return [
    '## Rates',
    ...turnsOf(changes).map((turn) => turnSection(turn, today)),
    '### Effect on prices',
    ...(prices.length === 0 ? ['No price of the portfolio changes.'] : effectGroups(prices).map(effectSection)),
    '### What will be published',
    table(
      ['rate set', '', 'digest'],
      sets.map((set) => [set.name, setWords(set), set.newDigest === null ? '' : `\`${set.newDigest}\``]),
    ),
    `release ${releaseWords(`\`${release}\``, sets)}`,
  ].join('\n\n')
}

function turnSection({ pricingCode, from, correction, parts }: Turn, today: string): string {
  const past = correction
    ? `\n\n> **A correction**: it changes days before ${today}, for which clients already have quotes.`
    : ''
  const rows = parts.flatMap(({ component, changes, sources }) =>
    changes.map((change) => [component, labelOf(change), ...oldAndNew(change), sources[0] ?? '']),
  )
  const followers = parts.flatMap(({ component, changes }) => followerLines(component, changes))
  const moved = followers.length === 0 ? '' : `\n\n${followers.map((one) => `- ${one}`).join('\n')}`
  return `### ${pricingCode} from ${from}${past}\n\n${table(['component', 'what', 'old', 'new', 'source'], rows)}${moved}`
}

function labelOf(change: FigureChange): string {
  const period = periodWords(change, (day) => day)
  return period ? `${change.label}, ${period}` : change.label
}

function effectSection(group: PriceEffect[]): string {
  const { pricingCode, from, of } = group[0]!
  const rows = group.map((effect) => [
    effect.component,
    String(effect.quotes),
    range(effect),
    `${effect.largest.vehicle}: ${amountOf(effect.largest.before)} → ${amountOf(effect.largest.after)}, ${driveAwayOf(effect)}`,
  ])
  const heading = ['component', 'quotes', 'difference', 'the largest']
  return `**${pricingCode} from ${from}**, of ${counted(of, 'quote')}\n\n${table(heading, rows)}`
}

function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  const more = rows.length - MOST_ROWS
  return [
    line(heading),
    line(heading.map(() => '---')),
    ...rows.slice(0, MOST_ROWS).map(line),
    ...(more > 0 ? [`\n… and ${more} more: \`driveaway diff\` shows all of them.`] : []),
  ].join('\n')
}

// Characters that would end a cell or a row, or start a tag.
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')
