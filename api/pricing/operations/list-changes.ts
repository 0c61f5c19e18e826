import { changesBetween, type FigureChange } from '#rates/diff/figures.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { ApiError } from '../../errors.ts'
import { findJurisdiction } from '../find-jurisdiction.ts'
import type { Operation } from '../operation.ts'

/** `GET /v1/changes`. */
export const listChanges: Operation = {
  operationId: 'listChanges',
  grant: 'pricing:quote',
  bodyLimit: 0,
  handle: ({ query, snapshot }) => {
    const { from = '', to = '', pricingCode } = query
    if (to < from) throw reversed(from, to)
    const codes = pricingCode === undefined ? undefined : codesOf(pricingCode, snapshot)
    const changes = allChanges(snapshot).filter(
      (one) => from <= one.from && one.from <= to && (codes?.includes(one.pricingCode) ?? true),
    )
    const version = `${snapshot.release} ${from} ${to} ${pricingCode ?? ''}`
    return { body: { release: snapshot.release, changes: changes.map(toChange) }, version }
  },
}

function reversed(from: string, to: string): ApiError {
  const message = `to, ${to}, is before from, ${from}.`
  return new ApiError('bad_request', message, { errors: [{ path: '/query/to', message, errorCode: 'bad_request' }] })
}

/** A pricing code with those of the sets that it imports; throws INVALID_PRICING_CODE. */
function codesOf(pricingCode: string, snapshot: Snapshot): string[] {
  const known = findJurisdiction(pricingCode, snapshot).pricingCode
  const own = snapshot.specs.filter((spec) => spec.pricingCode === known)
  return [known, ...own.flatMap(({ imports }) => imports ?? [])]
}

const known = new WeakMap<Snapshot, FigureChange[]>()

const FIRST = '0000-00-00'
const LAST = '9999-12-31'

/** Every change of a snapshot, found once. What a figure rests on is no change of it. */
function allChanges(snapshot: Snapshot): FigureChange[] {
  const found = known.get(snapshot) ?? changesBetween(snapshot.specs, FIRST, LAST).filter(isSaid)
  known.set(snapshot, found)
  return found
}

const isSaid = ({ about, kind }: FigureChange) => about !== 'evidence' && kind !== 'set'

const KINDS = { rule: 'component', parameter: 'parameter', concession: 'concession', other: 'definition', set: 'set' }

function toChange({ pricingCode, from, kind, component, ruleId, label, old, new: now, sources }: FigureChange): object {
  return {
    pricingCode,
    effectiveDate: from,
    kind: KINDS[kind],
    name: component,
    ...(ruleId === undefined ? {} : { ruleId }),
    description: label,
    old,
    new: now,
    sources,
  }
}
