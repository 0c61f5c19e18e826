import type { Comparison } from '#rates/diff/compare-sets.ts'
import { oldAndNew } from '#rates/diff/old-and-new.ts'
import { periodWords } from '#rates/diff/period-words.ts'
import type { PriceEffect } from '#rates/diff/prices.ts'
import { counted } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { followerLines } from './follower-lines.ts'
import { amountOf, driveAwayOf, effectGroups, range, releaseWords, setWords, turnsOf, type Turn } from './groups.ts'

/** A comparison for a terminal. */
export function comparisonLines(comparison: Comparison, terminal: Terminal): string[] {
  const { old, new: now, sets, changes, prices, release, today } = comparison
  const { paint } = terminal
  if (sets.length === 0) return [`${old} and ${now} publish the same content: ${release}`]
  const title = (text: string) => ['', paint('underline', text)]
  return [
    paint('bold', `${old} → ${now}`),
    ...turnsOf(changes).flatMap((turn) => turnLines(turn, today, terminal)),
    ...(prices.length > 0 ? title('Effect on prices') : ['', 'No price of the portfolio changes.']),
    ...effectGroups(prices).flatMap((group) => effectLines(group, terminal)),
    ...title('What will be published'),
    ...sets.flatMap((set) => [
      `  ${set.name}: ${setWords(set)}`,
      ...(set.newDigest === null ? [] : [paint('dim', `    ${set.newDigest}`)]),
    ]),
    `  release ${releaseWords(release, sets)}`,
  ]
}

function turnLines({ pricingCode, from, correction, parts }: Turn, today: string, { paint }: Terminal): string[] {
  const past = correction ? paint('yellow', `  a correction: it changes days before ${today}`) : ''
  return [
    '',
    `${paint('bold', `${pricingCode} from ${from}`)}${past}`,
    ...parts.flatMap(({ component, kind, changes, sources }) => [
      `  ${component}${kind === 'rule' || kind === 'set' ? '' : paint('dim', ` (${kind === 'other' ? 'part of the set' : kind})`)}`,
      ...changes.map((change) => {
        const [was, is] = oldAndNew(change)
        const period = periodWords(change, iso)
        return `    ${change.label}: ${paint('red', was)} → ${paint('green', is)}${period ? `, ${period}` : ''}`
      }),
      ...followerLines(component, changes).map((line) => `    ${line}`),
      ...sources.slice(0, 1).map((source) => paint('dim', `    source: ${source}`)),
    ]),
  ]
}

const iso = (day: string) => day

function effectLines(group: readonly PriceEffect[], { paint }: Terminal): string[] {
  const { pricingCode, from, of } = group[0]!
  return [
    paint('bold', `${pricingCode} from ${from}, of ${counted(of, 'quote')}`),
    ...group.flatMap((effect) => [
      `  ${effect.component}: ${counted(effect.quotes, 'quote')}, ${range(effect)}`,
      paint(
        'dim',
        `    ${effect.largest.vehicle}: ${amountOf(effect.largest.before)} → ${amountOf(effect.largest.after)}, ${driveAwayOf(effect)}`,
      ),
    ]),
  ]
}
