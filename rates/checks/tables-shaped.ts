import { compare, parseExact } from '../engine/exact.ts'
import type { Fault } from './fault.ts'
import type { Row, Table } from '../engine/grammar/charge.ts'
import { chargesOf } from './parts.ts'
import { entries, optional, type At, type Check } from './subject.ts'

/** A table has one amount for each column, rows of the kind that it declares, and no row hidden by an earlier one. */
export const tablesShaped: Check = ({ spec }) =>
  chargesOf(spec)
    .flatMap(({ path, value }) => optional(`${path}.table`, value.table))
    .flatMap((table) => [
      ...tableFaults(table),
      ...rowsOf(table).flatMap((row, position) => rowFaults(table, row, position)),
    ])

const rowsOf = ({ path, value }: At<Table>): At<Row>[] => entries(`${path}.rows`, value.rows)

const fault = (path: string, message: string): Fault => ({ check: 'tables-shaped', path, message })

function tableFaults({ path, value }: At<Table>): Fault[] {
  if (value.fact !== undefined && value.zone !== undefined)
    return [fault(path, 'a table goes by a fact or by a zone list, not by both')]
  return []
}

function rowFaults(table: At<Table>, { path, value: row }: At<Row>, position: number): Fault[] {
  const columns = table.value.columns?.length ?? 1
  const keys = (['upTo', 'class', 'zone'] as const).filter((key) => row[key] !== undefined)
  const last = position === table.value.rows.length - 1
  const found: (string | false)[] = [
    row.amounts.length !== columns && `${row.amounts.length} amounts for ${columns} columns`,
    keys.length > 1 && `expected one of upTo, class, zone in a row; found ${keys.join(' and ')}`,
    keys.length === 0 && !last && 'a row without upTo, class or zone matches everything: it must be the last row',
    ...keyFaults(table.value, row),
    hiddenBy(table.value.rows.slice(0, position), row),
  ]
  return found.filter((message) => message !== false).map((message) => fault(path, message))
}

const keyFaults = (table: Table, row: Row) => [
  row.upTo !== undefined && table.fact === undefined && 'upTo needs the fact of the table',
  row.zone !== undefined && table.zone === undefined && 'zone needs the zone list of the table',
  table.zone !== undefined && row.zone === undefined && 'every row of a table by zone names its zone',
]

function hiddenBy(before: Row[], row: Row): string | false {
  const edge = before.map(({ upTo }) => upTo).findLast((upTo) => upTo !== undefined)
  if (row.upTo !== undefined && edge !== undefined && compare(parseExact(row.upTo), parseExact(edge)) <= 0)
    return `row edge ${row.upTo} is not above ${edge}`
  for (const key of ['class', 'zone'] as const)
    if (row[key] !== undefined && before.some((other) => other[key] === row[key]))
      return `a row before it has the ${key} ${row[key]}`
  return false
}
