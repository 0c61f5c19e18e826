import { expect, test } from 'vitest'
import { digestOf } from '#rates/published/canonical.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import type { ApiProcess } from '../../../operator/api-processes/poller.ts'
import type { Reason } from '../../../operator/rate-set/decide.ts'
import type { RateSetRecord } from '../../../operator/rate-set/ledger.ts'
import type { RateSetObject, RateSetStatus } from '../../../operator/rate-set/object.ts'
import { rateSetStatus } from '../../../operator/rate-set/status.ts'
import { inventedSet } from '../invented-set.ts'

const spec = inventedSet('AU_VIC')
const object = (generation: number) =>
  ({ metadata: { name: 'au-vic-fy27', generation }, spec }) as unknown as RateSetObject

const entry = (digest: string, specDigest = digestOf(spec)) =>
  ({ name: 'au-vic-fy27', digest, specDigest }) as RateSetEntry

function record(generation: number, reason: Reason, more: Partial<RateSetRecord> & { check?: string } = {}) {
  const { check, ...fields } = more
  const faults = check
    ? [{ check, path: 'imports[0]', message: 'AU 2026-2027 does not exist, or has faults and was never published' }]
    : []
  const verdict = { name: 'au-vic-fy27', version: 'new' as const, reason, faults }
  return { uid: 'u', generation, verdict, release: 'sha256:r', ...fields } as RateSetRecord
}

const serving = (...digests: (string | undefined)[]): ApiProcess[] =>
  digests.map((digest, at) => ({
    ...{ url: `http://${at}`, servesRates: true, late: 0 },
    loaded: { sets: digest === undefined ? {} : { 'au-vic-fy27': digest } } as NonNullable<ApiProcess['loaded']>,
  }))

interface Given {
  generation: number
  record: RateSetRecord
  processes?: ApiProcess[]
  previous?: RateSetStatus
  records?: ReadonlyMap<string, RateSetRecord>
}

const statusOf = ({ generation, record, processes = [], previous, records = new Map() }: Given): RateSetStatus =>
  rateSetStatus(object(generation), record, {
    ...{ processes, records, now: '2026-11-22T00:00:00.000Z' },
    ...(previous && { previous }),
  })
const said = ({ conditions }: RateSetStatus) =>
  conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)
const loadedOf = (status: RateSetStatus) => said(status).find((each) => each.startsWith('Loaded'))

const good = record(1, 'Published', { entry: entry('one') })
const loaded = statusOf({ generation: 1, record: good, processes: serving('one', 'one') })

test('once True, Loaded stays True for its generation, whatever the processes say later', () => {
  expect(loadedOf(loaded)).toBe('Loaded True Loaded')
  for (const processes of [serving('one', undefined), serving(undefined), []])
    expect(statusOf({ generation: 1, record: good, processes, previous: loaded })).toEqual(loaded)
})

test('a new generation, and another digest of the same, begin anew', () => {
  const processes = serving('one', 'two')
  const next = statusOf({
    generation: 2,
    record: record(2, 'Published', { entry: entry('two') }),
    processes,
    previous: loaded,
  })
  expect(loadedOf(next)).toBe('Loaded False Loading')
  const imported = record(1, 'Published', { entry: entry('two') })
  expect(loadedOf(statusOf({ generation: 1, record: imported, processes, previous: loaded }))).toBe(
    'Loaded False Loading',
  )
})

test('how far loading is, is no change of a status', () => {
  const before = statusOf({ generation: 1, record: good, processes: serving(undefined, undefined, 'one') })
  const later = statusOf({ generation: 1, record: good, processes: serving(undefined, 'one', 'one'), previous: before })
  expect(later).toEqual(before)
})

test('a refused change is Held while an earlier generation is served, and Stalled', () => {
  const refused = record(2, 'CheckFailed', { check: 'examples', entry: entry('one', 'sha256:earlier') })
  const status = statusOf({ generation: 2, record: refused, processes: serving('one'), previous: loaded })
  expect(said(status)).toEqual([
    ...['Ready False CheckFailed', 'Published True LastGood', 'Loaded False Held', 'Stalled True CheckFailed'],
  ])
})

test('what a stricter check refuses later is served all the same', () => {
  const refused = record(1, 'CheckFailed', { check: 'examples', entry: entry('one') })
  expect(loadedOf(statusOf({ generation: 1, record: refused, processes: serving('one') }))).toBe('Loaded True Loaded')
})

test('a refused first publication is not loaded, however many processes agree that there is nothing', () => {
  const refused = record(1, 'CheckFailed', { check: 'examples' })
  const status = statusOf({ generation: 1, record: refused, processes: serving(undefined, undefined) })
  expect(loadedOf(status)).toBe('Loaded False NotPublished')
})

const waiting: [Reason, string][] = [
  ['AwaitingAttestation', 'not-attested'],
  ['ImportHeld', 'examples'],
  ['ImportMissing', 'imports-present'],
]
test.each(waiting)('a set that only waits (%s) is Reconciling, not Stalled', (reason, check) => {
  const status = statusOf({ generation: 1, record: record(1, reason, { check }) })
  expect(said(status).at(-1)).toBe(`Reconciling True ${reason}`)
  expect(said(status)[0]).toBe(`Ready False ${reason}`)
})

test('an import that is applied and only unattested is not called missing', () => {
  const federal = { ...record(1, 'AwaitingAttestation', { check: 'not-attested' }) }
  const records = new Map([['au-fy27', federal]])
  const status = statusOf({ generation: 1, record: record(1, 'ImportMissing', { check: 'imports-present' }), records })
  expect(status.conditions[0]).toMatchObject({
    ...{ type: 'Ready', reason: 'ImportHeld' },
    message: 'waits for au-fy27, which is held: AwaitingAttestation',
  })
})

const counted: [string, string][] = [
  ['examples-pass', '0/1'],
  ['bands-rise', '0/1'],
  ['not-attested', '1/1'],
]
test.each(counted)('where %s finds one fault, %s examples passed', (check, summary) => {
  expect(statusOf({ generation: 1, record: record(1, 'CheckFailed', { check }) }).examples.summary).toBe(summary)
})

test('of two examples one may fail', () => {
  const two = { ...object(1), spec: { ...spec, examples: [...(spec.examples ?? []), ...(spec.examples ?? [])] } }
  const failing = record(1, 'CheckFailed', { check: 'examples-pass' })
  const seen = { processes: [], records: new Map(), now: '2026-11-22T00:00:00.000Z' }
  expect(rateSetStatus(two, failing, seen).examples.summary).toBe('1/2')
})
