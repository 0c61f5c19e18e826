import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import { createLog } from '#runtime/log.ts'
import { remadeTeller, type RemadeSecret } from '../../../operator/showroom-client/remade.ts'
import { publishClients } from '../../../operator/showroom-client/publish.ts'
import { createRevocations } from '../../../operator/showroom-client/revocations.ts'
import { eventLane } from '../../../operator/status/event-lane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { configMap, kube, newOperator, newPlace, startPlaces, stopPlaces } from './clients-place.ts'

beforeAll(startPlaces)
afterAll(stopPlaces)

interface Event {
  reason: string
  regarding: { name: string }
}

test('publications, a suspension included, do not wait for events, and each Secret made again is told of once', async () => {
  const place = await newPlace(Array.from({ length: 20 }, (_, nth) => `client-${nth}`))
  const names = place.clients.map(({ metadata }) => metadata.name)
  await publishClients(newOperator(place).publisher)
  for (const name of names) await kube.delete({ ...configMap(name, place.namespace), kind: 'Secret' })
  const answer = Promise.withResolvers<void>()
  let begun = 0
  const create: Kube['create'] = async (object, options) => {
    if (object.kind !== 'Event') return kube.create(object, options)
    begun += 1
    await answer.promise
    return kube.create(object, options)
  }
  const log = createLog({ name: 'test', level: 'silent' })
  const { announce } = eventLane({ kube: { ...kube, create }, log, clock: systemClock })
  const revocations = createRevocations()
  const get = (reference: ObjectReference) =>
    reference.kind === 'ShowroomClient' ? Promise.resolve(place.clients[0]) : kube.get(reference)
  const { publisher: operator } = newOperator(place)
  const cluster = { ...operator.cluster, kube: { ...kube, get } as Kube }
  const noted: string[] = []
  const noteRemade = ({ secret }: RemadeSecret) => void noted.push(secret)
  const publisher = { ...operator, cluster, onRemade: remadeTeller(announce), revocations, noteRemade }
  expect((await publishClients(publisher)).isNew).toBe(true)
  expect([begun, noted.length]).toEqual([12, names.length])
  const [first] = place.clients
  place.clients[0] = { ...first!, spec: { ...first!.spec, suspended: true } }
  revocations.add()
  await publishClients(publisher)
  expect(publisher.ledger.records.get('client-0')?.binding?.suspended).toBe(true)
  await publishClients(publisher)
  expect(begun).toBe(12)
  answer.resolve()
  const path = `/apis/events.k8s.io/v1/namespaces/${place.namespace}/events`
  const told = async () => (await kube.page({ path, limit: 500 })).items as unknown as Event[]
  const events = await waitFor('the events', async () => {
    const all = await told()
    return all.length >= names.length && all
  })
  expect(events.map(({ reason, regarding }) => `${reason} ${regarding.name}`).toSorted()).toEqual(
    names.map((name) => `SecretRemade ${name}`).toSorted(),
  )
})
