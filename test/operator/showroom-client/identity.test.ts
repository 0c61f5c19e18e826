import { expect, test } from 'vitest'
import { hashClientSecret } from '../../../operator/secrets/client-secret.ts'
import { decideClients } from '../../../operator/showroom-client/decide.ts'
import { identityOf } from '../../../operator/showroom-client/identity.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'

const LOST = '7d1c1ab0-3f7e-4d52-9a53-6f5a2c3b9e10'
const OTHER = '0a2b6c1e-8f57-43a1-b0de-7c9f00a1b2c3'

const client = (name: string, uid: string, identity?: string): ShowroomClientObject => ({
  ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' },
  metadata: {
    ...{ name, namespace: 'driveaway', uid, generation: 1, resourceVersion: '1' },
    ...(identity && { annotations: { 'rates.driveaway.dev/identity': identity } }),
  },
  spec: {
    ...{ displayName: name, showroomCodes: ['MEL01'], grants: ['pricing:quote'] },
    credentials: [{ secretRef: { name } }],
  },
})

const decide = (...clients: ShowroomClientObject[]) =>
  decideClients(clients, new Map(), {
    ...{ issuer: 'https://own.example/', secretFault: () => undefined },
    secretHash: (one, name) => hashClientSecret(identityOf(one), name, 'x'.repeat(43)),
  })

test('an object that continues a lost one is published as that one: same identity, same salts', () => {
  const [before] = decide(client('northside', LOST))
  const [after] = decide(client('northside', OTHER, LOST))
  expect(after).toMatchObject({ faults: [], binding: { uid: LOST } })
  expect(after?.binding).toEqual(before?.binding)
})

test('nobody takes the identity of an object that is there', () => {
  const [victim, thief] = decide(client('northside', LOST), client('southside', OTHER, LOST))
  expect(victim?.faults).toEqual([])
  expect(thief?.binding).toBeUndefined()
  expect(thief?.faults).toMatchObject([{ check: 'identity', message: 'is the identity of client northside' }])
})

test('of two objects that claim one identity the older has it', () => {
  const older = client('westside', OTHER, LOST)
  older.metadata.creationTimestamp = '2026-11-01T00:00:00Z' as never
  const younger = client('eastside', OTHER.replace('0', '1'), LOST)
  younger.metadata.creationTimestamp = '2026-11-02T00:00:00Z' as never
  const [second, first] = decide(younger, older)
  expect(first?.faults).toEqual([])
  expect(second?.faults).toMatchObject([{ check: 'identity', message: 'is the identity of client westside' }])
})

test('an identity that is no uid is a fault of its client', () => {
  const [one] = decide(client('northside', OTHER, 'anything'))
  expect(one?.faults).toMatchObject([
    {
      check: 'identity',
      path: 'metadata.annotations[rates.driveaway.dev/identity]',
      message: 'is not the uid of an object',
    },
  ])
})
