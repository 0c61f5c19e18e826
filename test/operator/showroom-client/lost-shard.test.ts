import { expect, test } from 'vitest'
import type { ClientBinding, ClientsIndex } from '#rates/published/format.ts'
import { hashSecret } from '#rates/published/hashed-secret.ts'
import { operatorMetrics } from '../../../operator/loop/metrics.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { decideClients, type ClientVerdict } from '../../../operator/showroom-client/decide.ts'
import { emptyClientsLedger, recordClients, type ClientRecord } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { clientStatus } from '../../../operator/showroom-client/status.ts'

const condition = { lastTransitionTime: '2026-11-21T00:00:00Z', observedGeneration: 1 }
const published = { type: 'Published', status: 'True' as const, reason: 'Published', message: '', ...condition }

/** A client whose second credential is at fault. */
const client = (isSaidPublished: boolean): ShowroomClientObject => ({
  ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
  metadata: { name: 'northside', namespace: 'driveaway', uid: 'u', generation: 1, resourceVersion: '1' },
  spec: {
    ...{ displayName: 'Northside', showroomCodes: ['MEL01'], grants: ['pricing:quote'], suspended: true },
    credentials: [{ secretRef: { name: 'northside' } }, { subject: { issuer: 'https://own.example/', subject: 'me' } }],
  },
  ...(isSaidPublished && { status: { observedGeneration: 1, conditions: [published] } }),
})
const around = {
  ...{ issuer: 'https://own.example/', secretFault: () => undefined },
  secretHash: () => hashSecret('x'.repeat(43), '00'),
}
const decide = (object: ShowroomClientObject, isLost: boolean, before: [string, ClientBinding][] = []) =>
  decideClients([object], new Map(before), { ...around, isLost: () => isLost })[0]

test('a client at fault whose published shard is lost does not vanish: what is not at fault is published', () => {
  const { binding, faults } = decide(client(true), true) ?? {}
  expect(binding).toMatchObject({ clientId: 'northside', suspended: true, subjects: [], secrets: [{ salt: '00' }] })
  expect(faults).toHaveLength(1)
})

test('a client at fault that was never published stays unpublished', () => {
  expect(decide(client(false), true)?.binding).toBeUndefined()
  expect(decide(client(true), false)?.binding).toBeUndefined()
})

test('an object that is as it was is not judged again, until something that it depends on is another', () => {
  const object = client(true)
  const first = decide(object, true)
  expect(decide(object, true)).toBe(first)
  const other = { ...(first?.binding as ClientBinding), suspended: false }
  const next = decide(object, false, [['northside', other]])
  expect(next).not.toBe(first)
  expect(next?.binding?.suspended).toBe(true)
})

const indexAt = (sequence: number): ClientsIndex => ({
  ...{ formatVersion: 2, kind: 'clients', sequence, digest: `sha256:${sequence}`, shards: [] },
})

test('the loss is shown as a metric and in the status until the object passes its checks', async () => {
  const ledger = emptyClientsLedger()
  const { registry } = operatorMetrics({ rates: emptyRatesLedger(), clients: ledger })
  const shown = async () => /lost_objects\{kind="clients"\} (\d)/.exec(await registry.metrics())?.[1]
  const run = (verdict: ClientVerdict | undefined, sequence: number) => {
    recordClients(ledger, {
      verdicts: verdict ? [verdict] : [],
      before: indexAt(sequence - 1),
      index: indexAt(sequence),
    })
    const record = ledger.records.get('northside') as ClientRecord
    const { conditions } = clientStatus(record, { processes: [], inForce: {}, now: '2026-11-22T00:00:00Z' })
    return conditions.find(({ type }) => type === 'Published')?.reason
  }
  const saved = decide(client(true), true)
  expect([run(saved, 1), await shown()]).toEqual(['ContentLost', '1'])
  // What was saved is published now, and can be read.
  const next = decide(client(true), false, [['northside', saved?.binding as ClientBinding]])
  expect([run(next, 2), await shown()]).toEqual(['ContentLost', '1'])
  const { spec, ...rest } = client(true)
  const corrected = { ...rest, spec: { ...spec, credentials: spec.credentials.slice(0, 1) } }
  expect([run(decide(corrected, false), 3), await shown()]).toEqual(['Published', '0'])
})

test('an operator that starts after a loss learns of it from the status, and says so until the object is corrected', async () => {
  const ledger = emptyClientsLedger()
  const { registry } = operatorMetrics({ rates: emptyRatesLedger(), clients: ledger })
  const saved = decide(client(true), true)?.binding as ClientBinding
  const lost = { observedGeneration: 1, conditions: [{ ...published, reason: 'ContentLost' }] }
  const object = { ...client(true), status: lost }
  const verdict = decide(object, false, [['northside', saved]]) as ClientVerdict
  recordClients(ledger, { verdicts: [verdict], before: indexAt(1), index: indexAt(1) })
  expect(await registry.metrics()).toContain('lost_objects{kind="clients"} 1')
  // Another operator, which does not know of the loss by itself, does not take back what is said of it.
  const record = { ...(ledger.records.get('northside') as ClientRecord), isLost: false }
  const said = (previous: typeof lost, faults = record.faults) =>
    clientStatus({ ...record, faults }, { previous, processes: [], inForce: {}, now: '2026-11-22T00:00:00Z' })
      .conditions[1]?.reason
  expect([said(lost), said(lost, [])]).toEqual(['ContentLost', 'Published'])
})
