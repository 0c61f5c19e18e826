import type { Row, Table } from '../engine/grammar/charge.ts'
import { chargedFigure, chargedWords, labelForTerm, type Charging } from './as-charged.ts'
import { allSaid, figure, type Said } from './said.ts'

/** What a table says: how it is read, where its rows end, and each of its cells. */
export function tableStatements({ fact, zone, columns, rows, ...rest }: Table, charging: Charging): Said[] {
  allSaid(rest, {})
  const order = rows.map((row) => row.class ?? row.zone ?? '…').join(', ')
  const by = [
    fact && `by ${fact}`,
    zone && `by zone of ${zone}`,
    columns && `columns ${columns.join(', ')}`,
    `rows ${order}`,
  ]
  const shape: Said = { key: 'table', label: 'table', value: by.filter(Boolean).join('; '), about: 'terms' }
  return [
    shape,
    ...rows.flatMap((row, at) => rowStatements(row, at, { fact, columns, from: rows[at - 1]?.upTo, charging })),
  ]
}

interface RowAround extends Pick<Table, 'fact' | 'columns'> {
  /** The edge of the row before. */
  from: string | undefined
  charging: Charging
}

function rowStatements(row: Row, at: number, around: RowAround): Said[] {
  const { class: ofClass, zone, amounts, evidence, ...rest } = row
  allSaid(rest, { warning: 'words', upTo: 'subject' })
  const { columns, charging } = around
  const key = `rows[${ofClass ?? zone ?? at}]`
  const name = rowName(row, around)
  const cells = amounts.map((cell, column) => {
    const label = labelForTerm([name, columns?.[column]].filter(Boolean).join(', '), charging)
    const typed = cell === '-' ? undefined : chargedFigure(cell, charging)
    const said = figure(`${key}.${columns?.[column] ?? column}`, label, cellWords(cell, charging), typed)
    return { ...said, path: `table.rows[${at}].amounts[${column}]` }
  })
  const about = { key: `${key}.evidence`, label: `${name}: evidence`, about: 'evidence' as const }
  return [...edge(row, at, { ...around, key, name }), ...cells, ...(evidence ? [{ ...about, value: evidence }] : [])]
}

const cellWords = (cell: string, charging: Charging): string =>
  cell === '-' ? 'not published' : chargedWords(cell, charging)

interface EdgeAround extends RowAround {
  key: string
  name: string
}

/** Where a row ends; a reader is told the whole range of the row's amounts: `$320, $450: tareKg 975 to 1154`. */
function edge({ upTo, amounts }: Row, at: number, { key, name, fact, charging }: EdgeAround): Said[] {
  if (upTo === undefined) return []
  const label = amounts.map((cell) => cellWords(cell, charging)).join(', ')
  const said = figure(`${key}.upTo`, `${label}, ${fact ?? 'value'} up to`, upTo, { unit: 'number', value: upTo })
  return [{ ...said, path: `table.rows[${at}].upTo`, told: { label, value: name } }]
}

function rowName({ class: ofClass, zone, upTo }: Row, { fact, from }: RowAround): string {
  if (ofClass ?? zone) return (ofClass ?? zone)!
  // The last row of a table by class or by zone has neither, and no fact.
  if (fact === undefined) return 'otherwise'
  if (upTo === undefined) return from === undefined ? `any ${fact}` : `${fact} above ${from}`
  return from === undefined ? `${fact} up to ${upTo}` : `${fact} ${from} to ${upTo}`
}
