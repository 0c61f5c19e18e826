import { expect, test } from 'vitest'
import type { ClientBinding, ClientsIndex } from '#rates/published/format.ts'
import { emptyClientsLedger, hasLoaded, recordClients } from '../../../operator/showroom-client/ledger.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'

const client = {
  ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
  metadata: { name: 'northside', namespace: 'driveaway', uid: 'u', generation: 1, resourceVersion: '1' },
  spec: { displayName: 'Northside', showroomCodes: ['MEL01'], grants: ['pricing:quote'], credentials: [] },
} satisfies ShowroomClientObject
const binding = (suspended: boolean): ClientBinding => ({
  ...{ clientId: 'northside', uid: 'u', displayName: 'Northside', showroomCodes: ['MEL01'] },
  ...{ grants: ['pricing:quote'], suspended, secrets: [], jwks: [], subjects: [] },
})
const indexAt = (sequence: number): ClientsIndex => ({
  ...{ formatVersion: 2, kind: 'clients', sequence, digest: `sha256:${sequence}`, shards: [] },
})

function record(
  ledger: ReturnType<typeof emptyClientsLedger>,
  isSuspended: boolean,
  [before, after]: [number, number],
) {
  const verdicts = [{ client, binding: binding(isSuspended), faults: [] }]
  recordClients(ledger, { verdicts, before: indexAt(before), index: indexAt(after) })
  return ledger.records.get('northside')?.since
}

test('a binding that stays is in force since the index that brought it in', () => {
  const ledger = emptyClientsLedger()
  expect(record(ledger, false, [4, 5])).toBe(5)
  expect(record(ledger, false, [5, 6])).toBe(5)
  expect(record(ledger, true, [6, 7])).toBe(7)
})

test('what another leader published meanwhile does not count as in force since an index of before', () => {
  const ledger = emptyClientsLedger()
  record(ledger, false, [4, 5])
  // The other leader suspended the client in the sixth: this run finds that published as it wants it.
  expect(record(ledger, true, [6, 6])).toBe(6)
})

test('a binding that was changed and changed back by another leader is not taken for one that stayed', () => {
  const ledger = emptyClientsLedger()
  record(ledger, false, [4, 5])
  expect(record(ledger, false, [7, 7])).toBe(7)
})

test('a process that holds an index of before a restore, under the number of the present one, has not loaded it', () => {
  const inForce = { sequence: 7, digest: 'sha256:now' }
  const loaded = (sequence: number, digest: string) => hasLoaded({ sequence, digest }, 6, inForce)
  expect([loaded(7, 'sha256:now'), loaded(7, 'sha256:before')]).toEqual([true, false])
  // One that is not as far yet has what came in with the sixth.
  expect([loaded(6, 'sha256:sixth'), loaded(5, 'sha256:fifth')]).toEqual([true, false])
})
