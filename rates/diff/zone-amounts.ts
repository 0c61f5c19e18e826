import type { Subject } from './amounts.ts'
import { chargedOf, estimateOf, type FigureChange, type ZoneAmount } from './figure-change.ts'
import { statementsOn, type Statement } from './statements.ts'
import type { Vocabulary } from './vocabulary.ts'
import { isOfZones } from './zone-moves.ts'
import { zonesOfPostcodes, ZONES } from './zone-statements.ts'

/** The most amounts beside one move. */
const MOST = 8

/** The amounts that change for vehicles of postcodes which move to another zone, on the first day of the move. */
export function zoneAmounts(change: FigureChange, subject: Subject, words: Vocabulary): ZoneAmount[] {
  const move = moveOf(change, subject, words)
  if (!move) return []
  const statements = statementsOn(subject, change.from, words)
  const all = [...statements.values()]
  const inZone = (name: string) => all.filter((one) => isAmountOf(one, { list: move.list, name }))
  const were = inZone(move.former)
  return inZone(move.zone)
    .flatMap((now) => {
      const was = were.find((one) => placeOf(one) === placeOf(now))
      return was && was.value !== now.value ? [{ ...amountOf(was, now), ...estimateOf(now, { statements }) }] : []
    })
    .slice(0, MOST)
}

/** The list and the two zones of a move; undefined when a set lacks one of them, or the postcodes were in no zone. */
function moveOf(
  change: FigureChange,
  { spec }: Subject,
  words: Vocabulary,
): { list: string; zone: string; former: string } | undefined {
  const { component, old, postcodes: [first = ''] = [] } = change
  if (!isOfZones(change) || old === null || change.new === null) return undefined
  const list = spec.zones?.find(({ name }) => name === component.slice(ZONES.length))
  if (!list) return undefined
  const zone = new Map(zonesOfPostcodes(list)).get(first.slice(0, 4))
  const former = list.values.find((one) => words.zone(one.zone, list.name) === old)?.zone
  return zone === undefined || former === undefined ? undefined : { list: list.name, zone, former }
}

const isAmountOf = ({ kind, about, places }: Statement, { list, name }: { list: string; name: string }): boolean => {
  const zone = places?.at(-1)?.zone
  return kind === 'rule' && about === 'figure' && zone?.list === list && zone.name === name
}

/** What an amount is for, besides the zone. */
const placeOf = ({ component, key, places = [] }: Statement): string =>
  [component, key, ...places.slice(0, -1).map(({ name }) => name)].join('\n')

function amountOf(was: Statement, now: Statement): ZoneAmount {
  const { component, titles = [], afterRange = '' } = now
  const values = { old: was.value, new: now.value, ...chargedOf(was, now) }
  const label = titles.map((title) => title.words).join(': ')
  return { component, label, ...(afterRange !== '' && { term: afterRange }), ...values }
}
