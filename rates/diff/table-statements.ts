import type { Row, Table } from '../engine/grammar/charge.ts'
import { gradeWords } from './rate-words.ts'
import { chargedStatement, chargedWords, labelForTerm, type Charging } from './as-charged.ts'
import { rangeWords, type Range } from './ranges.ts'
import { allSaid, figure, inPlace, orderStatement, placesOf, type Place, type WordedStatement } from './said.ts'

/** The statements of a table: how it is read, where its rows end, and each of its cells. */
export function tableStatements({ fact, zone, columns, rows, ...rest }: Table, charging: Charging): WordedStatement[] {
  allSaid(rest, {})
  const { words } = charging.resolver
  const by = words.read({ fact, zone, columns })
  const shape: WordedStatement = { key: 'table', label: words.labels.table, value: by.join('; '), about: 'terms' }
  const places = placesOf(rows, (row, at) => rowPlace(row, { fact, zone, columns, from: rows[at - 1]?.upTo, charging }))
  // Each row has statements about its charges, so the table as a whole only states the order.
  const names = rows.map((row) => {
    if (row.class !== undefined) return words.name(row.class)
    return row.zone === undefined ? (row.upTo ?? 'rest') : words.zone(row.zone, zone ?? '')
  })
  return [
    ...(by.length === 0 ? [] : [shape]),
    orderStatement(words.labels.rows, names, places, words),
    ...rows.flatMap((row, at) =>
      inPlace(places[at]!, rowStatements(row, at, { fact, zone, columns, from: rows[at - 1]?.upTo, charging })),
    ),
  ]
}

/** A row is identified by its class, its zone or its end. */
function rowPlace(row: Row, around: RowAround): Place {
  const named = row.class ?? row.zone
  const zone = row.class === undefined && row.zone !== undefined && { list: around.zone ?? '', name: row.zone }
  if (named !== undefined) return { list: 'rows', name: named, shape: named, ...(zone && { zone }) }
  const { upTo } = row
  if (around.fact === undefined) return { list: 'rows', name: 'rest', shape: 'rest' }
  return {
    list: 'rows',
    name: upTo ?? 'rest',
    shape: upTo === undefined ? 'rest' : 'up to',
    range: rangeOf(row, around),
  }
}

interface RowAround extends Pick<Table, 'fact' | 'zone' | 'columns'> {
  /** The edge of the previous row. */
  from: string | undefined
  charging: Charging
}

function rowStatements(row: Row, at: number, around: RowAround): WordedStatement[] {
  const { amounts, evidence, upperBound, ...rest } = row
  allSaid(rest, { warning: 'words', upTo: 'subject', class: 'subject', zone: 'subject' })
  const { columns, charging } = around
  const name = rowName(row, around)
  const cells = amounts.map((cell, column) => {
    const inColumn = columns?.[column] === undefined ? '' : `, ${charging.resolver.words.name(columns[column])}`
    const afterRange = labelForTerm(inColumn, charging)
    const label = `${name}${afterRange}`
    const key = `amount ${columns?.[column] ?? column}`
    const said = cell === '-' ? figure(key, label, NOT_PUBLISHED) : chargedStatement(key, label, cell, charging)
    return { ...said, path: `table.rows[${at}].amounts[${column}]`, afterRange }
  })
  const afterRange = ': evidence'
  const about = { key: 'evidence', label: `${name}${afterRange}`, about: 'evidence' as const, afterRange }
  return [
    ...edge(row, at, { ...around, name }),
    ...cells,
    ...(evidence ? [{ ...about, value: gradeWords(evidence, upperBound) }] : []),
  ]
}

/** The value of a cell without an amount. */
const NOT_PUBLISHED = 'not published'

const cellWords = (cell: string, charging: Charging): string =>
  cell === '-' ? NOT_PUBLISHED : chargedWords(cell, charging)

interface EdgeAround extends RowAround {
  name: string
}

/** Where a row ends. A reader sees the whole range of the row's amounts: `$320, $450: tareKg 975 to 1154`. */
function edge({ upTo, amounts }: Row, at: number, { name, fact, charging }: EdgeAround): WordedStatement[] {
  if (upTo === undefined) return []
  const label = amounts.map((cell) => cellWords(cell, charging)).join(', ')
  const said = figure(
    'upTo',
    `${label}, ${fact === undefined ? 'value' : charging.resolver.words.fact(fact).words} up to`,
    upTo,
    { unit: 'number', value: upTo },
  )
  return [{ ...said, path: `table.rows[${at}].upTo`, told: { label, value: name }, role: 'edge' }]
}

function rowName(row: Row, around: RowAround): string {
  const { words } = around.charging.resolver
  if (row.class !== undefined) return words.name(row.class)
  if (row.zone !== undefined) return words.zone(row.zone, around.zone ?? '')
  // The last row of a table by class or by zone has neither a class nor a zone, and no fact.
  return around.fact === undefined ? words.otherwise([]).words : rangeWords(rangeOf(row, around))
}

function rangeOf({ upTo }: Row, { fact, from, charging }: RowAround): Range {
  const { words } = charging.resolver
  const bound = (value: string) => ({ amount: value, words: fact === undefined ? value : words.measure(value, fact) })
  const { words: of, unit } = fact === undefined ? { words: '' } : words.fact(fact)
  return {
    of,
    ...(unit !== undefined && { unit }),
    isFromStart: false,
    ...(from !== undefined && { above: bound(from) }),
    ...(upTo !== undefined && { upTo: bound(upTo) }),
  }
}
