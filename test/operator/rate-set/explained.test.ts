import { expect, test } from 'vitest'
import { IMPORTS_PRESENT } from '#rates/checks/fault.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import type { Reason } from '../../../operator/rate-set/decide.ts'
import { explainedAnew } from '../../../operator/rate-set/explained.ts'
import type { RateSetRecord } from '../../../operator/rate-set/ledger.ts'
import { inventedSet } from '../invented-set.ts'

const entry = (name: string) => ({ name, digest: `sha256:${name}` }) as RateSetEntry

function record(reason: Reason, check?: string, published?: RateSetEntry): RateSetRecord {
  const faults = check === undefined ? [] : [{ check, path: '', message: 'as it is' }]
  const verdict = { name: '', version: 'new' as const, reason, faults }
  return { uid: 'u', generation: 1, verdict, release: 'sha256:r', ...(published && { entry: published }) }
}

const waiting = record('ImportMissing', IMPORTS_PRESENT)
const held = record('CheckFailed', 'examples-pass')

test('a set that waits is explained anew when its import is applied, held for another reason, or taken away', () => {
  const specOf = () => inventedSet('AU_QLD')
  const anew = (before: RateSetRecord | undefined, now: RateSetRecord | undefined) => {
    const records = (federal: RateSetRecord | undefined) =>
      new Map([['au-qld-fy27', waiting], ...(federal ? [['au-fy27', federal] as const] : [])])
    return explainedAnew(records(before), records(now), specOf)
  }
  expect(anew(undefined, held)).toEqual(['au-qld-fy27'])
  expect(anew(held, record('Withdrawn'))).toEqual(['au-qld-fy27'])
  expect(anew(held, undefined)).toEqual(['au-qld-fy27'])
  expect(anew(held, { ...held, generation: 2 })).toEqual([])
  expect(anew(undefined, undefined)).toEqual([])
})

test('where an import changes, the hundreds of sets that do not wait for it are not looked at', () => {
  const published = Array.from(
    { length: 500 },
    (_, at) => [`au-${at}-fy27`, record('Published', undefined, entry(`${at}`))] as const,
  )
  const records = (federal: RateSetRecord) => new Map([['au-fy27', federal], ['au-qld-fy27', waiting], ...published])
  const asked: string[] = []
  const specOf = (name: string) => {
    asked.push(name)
    return inventedSet('AU_QLD')
  }
  expect(explainedAnew(records(record('Withdrawn')), records(held), specOf)).toEqual(['au-qld-fy27'])
  expect(asked).toEqual(['au-qld-fy27'])
})
