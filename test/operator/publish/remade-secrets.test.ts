import type { V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENTS_INDEX } from '#rates/published/format.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { clientSecrets } from '../../../operator/secrets/client-secrets.ts'
import { publishClients, type ClientsPublisher } from '../../../operator/showroom-client/publish.ts'
import { configMap, kube, newOperator, newPlace, startPlaces, stopPlaces, type Place } from './clients-place.ts'

beforeAll(startPlaces)
afterAll(stopPlaces)

const secretOf = ({ namespace }: Place, name = 'east') => ({ ...configMap(name, namespace), kind: 'Secret' })

/** An operator whose cache has the Secret of `east`, as it now is. */
async function operatorWithSecret(place: Place) {
  const { publisher, remade } = newOperator(place)
  const stored = await kube.get<V1Secret>(secretOf(place))
  const secrets = clientSecrets({ kube, namespace: place.namespace }, (name) => (name === 'east' ? stored : undefined))
  return { publisher: { ...publisher, secrets }, remade }
}

/** The operator is killed when it has made the Secrets. */
function killedAfterSecrets(publisher: ClientsPublisher): ClientsPublisher {
  const ensure: typeof publisher.secrets.ensure = async (names) => {
    await publisher.secrets.ensure(names)
    throw new Error('killed')
  }
  return { ...publisher, secrets: { ...publisher.secrets, ensure } }
}

test('the next operator tells, once, of a Secret that a killed one made again', async () => {
  const place = await newPlace()
  await publishClients(newOperator(place).publisher)
  await kube.delete(secretOf(place))
  await expect(publishClients(killedAfterSecrets(newOperator(place).publisher))).rejects.toThrow('killed')
  const { publisher, remade } = await operatorWithSecret(place)
  await publishClients(publisher)
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
  const later = await operatorWithSecret(place)
  await publishClients(later.publisher)
  expect(later.remade).toEqual([])
})

test('a text that somebody put into the Secret, or a Secret that somebody supplied, was not made again', async () => {
  const place = await newPlace()
  await publishClients(newOperator(place).publisher)
  const data = (letter: string) => ({ clientSecret: Buffer.from(letter.repeat(43)).toString('base64') })
  const stored = await kube.get<V1Secret>(secretOf(place))
  await kube.replace<V1Secret>({ ...stored!, data: data('a') } as never)
  const patched = await operatorWithSecret(place)
  await publishClients(patched.publisher)
  await kube.delete(secretOf(place))
  await kube.create<V1Secret>({ ...secretOf(place), type: stored!.type!, data: data('b') } as never)
  const supplied = await operatorWithSecret(place)
  await publishClients(supplied.publisher)
  expect([...patched.remade, ...supplied.remade]).toEqual([])
})

test('a Secret of a client whose status is behind is told of, and one of a new client is not', async () => {
  const place = await newPlace(['east', 'new'])
  const [east, added] = place.clients
  const behind = { observedGeneration: 0, conditions: [] } as never
  await publishClients(newOperator({ ...place, clients: [east!] }).publisher)
  await kube.delete(secretOf(place))
  const clients = [
    { ...east!, status: behind },
    { ...added!, status: behind },
  ]
  const { publisher, remade } = newOperator({ ...place, clients })
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})

test('a Secret made again is told of once its hash is published, where the server refuses the shard at first', async () => {
  const place = await newPlace()
  await publishClients(newOperator(place).publisher)
  await kube.delete(secretOf(place))
  const { publisher, remade } = newOperator(place)
  let isRefused = true
  const create: Kube['create'] = (object, options) => {
    const isShard = isRefused && object.kind === 'ConfigMap' && /^clients-v/.test(object.metadata?.name ?? '')
    if (!isShard) return kube.create(object, options)
    throw new KubeApiError('POST configmaps', { code: 422, message: 'a policy says no' })
  }
  await publishClients({ ...publisher, cluster: { ...publisher.cluster, kube: { ...kube, create } } })
  expect(remade).toEqual([])
  isRefused = false
  await publishClients(publisher)
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})

test('Secrets that were made again in a run that failed are told of by the next one', async () => {
  const place = await newPlace()
  const lose = [CLIENTS_INDEX, `${CLIENTS_INDEX}-history`].map((name) => configMap(name, place.namespace))
  const { publisher, remade } = newOperator(place)
  const ensure: typeof publisher.secrets.ensure = async (names) => {
    await publisher.secrets.ensure(names)
    await Promise.all(lose.map((each) => kube.delete(each)))
  }
  await expect(publishClients({ ...publisher, secrets: { ...publisher.secrets, ensure } })).rejects.toThrow()
  expect(remade).toEqual([])
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})

test.each([
  ['alone', []],
  ['together with the index', [CLIENTS_INDEX]],
])('a Secret that was deleted %s and is made again is told of', async (_, alsoDeleted) => {
  const place = await newPlace()
  await publishClients(newOperator(place).publisher)
  const secret = { ...configMap('east', place.namespace), kind: 'Secret' }
  for (const each of [secret, ...alsoDeleted.map((name) => configMap(name, place.namespace))]) await kube.delete(each)
  const { publisher, remade } = newOperator(place)
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})

test('a Secret that was deleted and is refused at first is told of once it is made again', async () => {
  const place = await newPlace(['east', 'new'])
  const unready = { observedGeneration: 1, conditions: [{ type: 'Ready', status: 'False' }] } as never
  place.clients[1] = { ...place.clients[1]!, status: unready }
  const { publisher, remade } = newOperator(place)
  const refusing = { ...kube, create: () => Promise.reject(new Error('exceeded quota')) } as unknown as Kube
  const refused = clientSecrets({ kube: refusing, namespace: place.namespace }, () => undefined)
  await publishClients({ ...publisher, secrets: refused })
  // As the status then says.
  place.clients[0] = { ...place.clients[0]!, status: unready }
  await publishClients({ ...publisher, secrets: refused })
  expect(remade).toEqual([])
  await publishClients(publisher)
  expect(remade).toEqual(['east'])
})
