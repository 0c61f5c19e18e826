import { allOf } from '../conditions.ts'
import { numberTest } from '../fact-tests.ts'
import type { Exact } from '../../exact.ts'
import type { Row, Table } from '../../grammar/charge.ts'
import { gradeOf } from '../../grade.ts'
import { refuse, type Place, type Zones } from '../scope.ts'
import { compileFlat } from './flat.ts'
import {
  FALSE,
  note,
  NO_WARNINGS,
  TRUE,
  UNKNOWN,
  type Figure,
  type State,
  type Test,
  type Unknown,
} from '../../state.ts'

interface CompiledRow {
  readonly test: Test | null
  /** One cell for each column; null when the amount is not published. */
  readonly cells: readonly (((state: State) => Exact) | null)[]
  /** Grade of the row, or -1 when the row states none. */
  readonly evidence: number
  readonly warnings: readonly string[]
}

interface CompiledTable {
  readonly columns: readonly Test[]
  readonly rows: readonly CompiledRow[]
}

const ALWAYS: readonly (Test | null)[] = [null]
const NOT_PUBLISHED: Unknown = {
  kind: 'unpriced',
  text: 'no amount is published for this vehicle',
  because: 'no_figure',
}

/** Compiles a table: the first row that matches, and the first column whose class holds. */
export function compileTable(spec: Table, place: Place): Figure {
  const zones = spec.zone ? place.scope.zonesOf(spec.zone, place.at('zone')) : null
  const columns = (spec.columns ?? []).map((name) => place.scope.classOf(name, place.at('columns')))
  const rows = spec.rows.map((row, index) => compileRow(row, spec, place.at(`rows[${index}]`), zones))
  const table = { columns, rows }
  return {
    computeAndNote: (state) => computeCell(table, state),
    blame: (state, unknowns) => blame(table, state, unknowns),
  }
}

function compileRow(row: Row, table: Table, place: Place, zones: Zones | null): CompiledRow {
  if (row.amounts.length !== (table.columns?.length ?? 1))
    refuse(place.at('amounts'), 'expected one amount for each column')
  const tests: Test[] = []
  if (row.upTo !== undefined) {
    if (!table.fact) return refuse(place.at('upTo'), 'the table has no fact')
    tests.push(numberTest(table.fact, { max: row.upTo }))
  }
  if (row.class !== undefined) tests.push(place.scope.classOf(row.class, place.at('class')))
  if (row.zone !== undefined) {
    if (!zones) return refuse(place.at('zone'), 'the table has no zone list')
    tests.push(zoneRow(zones, zones.indexOf(row.zone, place.at('zone'))))
  }
  return {
    test: tests.length > 0 ? allOf(tests) : null,
    cells: row.amounts.map((text, column) =>
      text === '-' ? null : compileFlat(text, place.at(`amounts[${column}]`)),
    ),
    evidence: row.evidence ? gradeOf({ ...row, evidence: row.evidence }) : -1,
    warnings: row.warning ? [row.warning] : NO_WARNINGS,
  }
}

function zoneRow(zones: Zones, zoneIndex: number): Test {
  return {
    holds: (state) => {
      const zone = zones.zoneOf(state)
      return zone < 0 ? UNKNOWN : zone === zoneIndex ? TRUE : FALSE
    },
    blame: (_state, unknowns) => {
      unknowns.push({ kind: 'zone', slot: zones.slot, name: zones.name })
    },
  }
}

/** Position of the first test that holds; -1 when none holds, -2 when that is unknown. */
function firstThatHolds(tests: readonly (Test | null)[], state: State): number {
  for (let index = 0; index < tests.length; index++) {
    const truth = tests[index]?.holds(state) ?? TRUE
    if (truth === TRUE) return index
    if (truth === UNKNOWN) return -2
  }
  return -1
}

function firstRow(rows: readonly CompiledRow[], state: State): number {
  for (let index = 0; index < rows.length; index++) {
    const truth = rows[index]!.test?.holds(state) ?? TRUE
    if (truth === TRUE) return index
    if (truth === UNKNOWN) return -2
  }
  return -1
}

function computeCell(table: CompiledTable, state: State) {
  const column = firstThatHolds(table.columns.length > 0 ? table.columns : ALWAYS, state)
  const index = column < 0 ? column : firstRow(table.rows, state)
  const row = table.rows[index]
  const cell = row?.cells[column]
  if (!row || !cell) return null
  note(state, 0, row.warnings)
  if (row.evidence >= 0) state.stated = row.evidence
  if (state.trace) state.trace.step = `charge.table.rows[${index}].amounts[${column}]`
  return cell(state)
}

function blame(table: CompiledTable, state: State, unknowns: Unknown[]): void {
  const before = unknowns.length
  blameFirst(table.columns, state, unknowns)
  blameFirst(
    table.rows.map(({ test }) => test),
    state,
    unknowns,
  )
  if (unknowns.length === before) unknowns.push(NOT_PUBLISHED)
}

function blameFirst(tests: readonly (Test | null)[], state: State, unknowns: Unknown[]): void {
  for (const test of tests) {
    const truth = test?.holds(state) ?? TRUE
    if (truth === UNKNOWN) test?.blame(state, unknowns)
    if (truth === TRUE) return
  }
}
