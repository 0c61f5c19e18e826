import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { labelOf, withEveryForm } from '../properties/sets.ts'
import { grammarEdits, type Edit } from './edits/grammar-edits.ts'
import { fieldsOf, type Node } from './edits/node.ts'
import { isPriced, isRefused, listed, moved, silentOf, withNeighbours } from './edits/read.ts'
import { tallyOf } from './edits/tally.ts'
import { sample } from '../sample.ts'

/*
 * The edits come from the grammar, so that a field which the grammar gains is edited without anybody's doing. Of every fourth
 * field one edit is read, always the same; TOLD_EDITS=all for each field at each place of the grammar, TOLD_EDITS=1 for a few
 * fields, SEED for other fields and edits.
 */
const SEED = Number(process.env.SEED ?? 339_867)
const ALL = process.env.TOLD_EDITS === 'all'
const EVERY = ALL ? 1 : process.env.TOLD_EDITS === '1' ? 40 : 4
const tally = tallyOf('every field', SEED)

interface EditOfSet extends Edit {
  spec: RateSetSpec
}

/** The edits of some sets by field. */
function editsByField(grammar: unknown = RateSetSpec, specs = withEveryForm): Map<string, EditOfSet[]> {
  const byField = new Map<string, EditOfSet[]>()
  for (const spec of specs)
    for (const edit of grammarEdits(spec, specs, grammar))
      for (const field of edit.fields) {
        const known = byField.get(field) ?? []
        byField.set(field, known)
        known.push({ ...edit, spec })
      }
  return byField
}

/** The fields of a grammar that no edit touches: neither the field nor, where it must be there, something in it. */
function withoutEdit(grammar: unknown, edited: readonly string[]): string[] {
  const isEdited = (field: string) =>
    edited.some((one) => one === field || one.startsWith(`${field}.`) || one.startsWith(`${field}[`))
  return fieldsOf(grammar as Node).filter((field) => !isEdited(field))
}

const byField = editsByField()

test('every field of the grammar is edited', () => {
  expect(withoutEdit(RateSetSpec, [...byField.keys()])).toEqual([])
})

test.each([
  ['^[0-9]$', []],
  ['^~$', ['surcharge', 'surcharge.rate']],
])('a new field of values %s that no edit is known for is named', (pattern, named) => {
  const surcharge = Type.Optional(Type.Object({ rate: Type.String({ pattern }) }))
  const grammar = Type.Object({ surcharge, ...RateSetSpec.properties })
  const left = withoutEdit(grammar, [...editsByField(grammar, withEveryForm.slice(-1)).keys()])
  expect(left.filter((field) => field.startsWith('surcharge'))).toEqual(named)
})

/** What a field is called wherever the same part of the grammar stands: `when.seats.min` of a case and of a class. */
const calledOf = (field: string): string =>
  field
    .split('.')
    .slice(ALL ? 0 : -2)
    .join('.')
    .replace(/^anyOf\[\]|^when/, 'condition')

const called = Map.groupBy(
  [...byField].filter(([field]) => !field.startsWith('examples')),
  ([field]) => calledOf(field),
)
const chosen = [...called].filter((_, at) => at % EVERY === SEED % EVERY)

test(`no field of the grammar moves a price and is not told (seed ${SEED})`, () => {
  const untold: string[] = []
  for (const [at, [, fields]] of chosen.entries()) {
    const all = fields.flatMap(([, edits]) => edits)
    const found = sample(all, TRIES, SEED + at).find(isPricedEdit)
    tally(found ? 'fields' : 'fields whose edits make no set')
    if (!found) continue
    untold.push(...untoldOf(found))
  }
  expect(untold).toEqual([])
}, 3_600_000)

/** Edits of a field that are tried until one makes a set that can be priced with: not every one does. */
const TRIES = 6

function edited({ spec, apply }: EditOfSet): RateSetSpec {
  const copy = structuredClone(spec)
  apply(copy)
  return copy
}

const isPricedEdit = (one: EditOfSet): boolean => isPriced(edited(one))

function untoldOf(one: EditOfSet): string[] {
  const { spec, fields, operator, path } = one
  const old = withNeighbours(spec)
  const now = edited(one)
  const silent = silentOf(old, [now, ...old.slice(1)], knownOf(spec, old))
  if (silent.length > 0) tally('silent somewhere')
  if (silent.length === 0 || moved(spec, now).length === 0 || isRefused(now)) return []
  return [`${fields[0]} ${operator} at ${path} of ${labelOf(spec)}: ${silent.join(', ')} says nothing`]
}

const known = new Map<RateSetSpec, string>()

function knownOf(spec: RateSetSpec, old: readonly RateSetSpec[]): string {
  const before = known.get(spec) ?? listed(old)
  known.set(spec, before)
  return before
}
