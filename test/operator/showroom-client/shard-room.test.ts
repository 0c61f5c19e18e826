import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shardOfClient } from '#rates/published/encode-clients.ts'
import type { ShowroomClientObject } from '../../../operator/showroom-client/object.ts'
import { clientNamed, startClientsPlace, suspended } from './clients-place.ts'

const NAMESPACE = 'shard-room'

let place: Awaited<ReturnType<typeof startClientsPlace>>

beforeAll(async () => {
  place = await startClientsPlace(NAMESPACE)
}, 60_000)
afterAll(() => place.stop())

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { n = '', e = '' } = publicKey.export({ format: 'jwk' })

/** A client with `credentials` sets of 8 keys each; `\u0001` takes seven bytes of a shard. */
function withKeys(name: string, credentials: number, kid = '\u0001'.repeat(128)): ShowroomClientObject {
  const client = clientNamed(name, NAMESPACE)
  const keys = Array.from({ length: 8 }, () => ({ kty: 'RSA' as const, n, e, kid }))
  return {
    ...client,
    spec: { ...client.spec, credentials: Array.from({ length: credentials }, () => ({ jwks: { keys } })) },
  }
}

/** The first `count` names of one shard among as many as there can be for nine clients of the largest size. */
function namesOfOneShard(count: number): string[] {
  const names = Array.from({ length: 1000 }, (_, number) => `large-${number}`)
  return names.filter((name) => shardOfClient(name, 64) === 0).slice(0, count)
}

test('two large clients whose names have the same hash are at fault, and everybody else is published', async () => {
  // The first 32 bits of the SHA-256 of both names are the same.
  const clients = [clientNamed('small', NAMESPACE), withKeys('big-38520', 1), withKeys('big-74371', 1)]
  const { publish, conditionsOf } = place.publisherOf(clients)
  expect((await place.published((await publish()).index)).get('big-38520')?.jwks).toHaveLength(1)

  clients.splice(0, 3, suspended(clients[0]!), withKeys('big-38520', 16), suspended(withKeys('big-74371', 16)))
  const { index } = await publish()
  const byId = await place.published(index)
  expect(index.shards).toHaveLength(1)
  expect([byId.get('small')?.suspended, byId.get('big-74371')?.suspended]).toEqual([true, true])
  expect(byId.get('big-38520')).toMatchObject({ suspended: false, jwks: [{ keys: { length: 8 } }] })
  const [ready, published] = conditionsOf('big-38520') ?? []
  const message =
    /^spec\.credentials\[6\]: with this credential, the published form of the client has \d+ bytes; expected at most 65536 \(client-size\); and 9 more$/
  expect(ready).toMatchObject({ status: 'False', message: expect.stringMatching(message) as string })
  expect(published).toMatchObject({ status: 'True', reason: 'Narrowed' })
}, 60_000)

test('where one shard has no room for all, those that add most are at fault, and their suspensions are published', async () => {
  const [grows = '', ...others] = namesOfOneShard(10)
  const kid = 'k'.repeat(128)
  const clients = [
    withKeys(grows, 1, kid),
    ...others.map((name) => withKeys(name, 14, kid)),
    clientNamed('small', NAMESPACE),
  ]
  const { publish, conditionsOf } = place.publisherOf(clients)
  const first = await place.published((await publish()).index)
  const left = others.filter((name) => !first.has(name))
  expect([left.length, first.size]).toEqual([1, 10])
  expect(conditionsOf(left[0]!)?.[0]?.message).toMatch(
    /^spec: adds \d+ bytes to a shard without room: .*\(shard-room\)$/,
  )

  // What is published takes nearly the whole shard: a client that wants more keeps what it has.
  clients[0] = suspended(withKeys(grows, 14, kid))
  const second = await place.published((await publish()).index)
  expect([...second.keys()]).toEqual([...first.keys()])
  expect(second.get(grows)).toEqual({ ...first.get(grows), suspended: true })
  expect(conditionsOf(grows)?.[1]).toMatchObject({ status: 'True', reason: 'Narrowed' })
  expect((await publish()).isNew).toBe(false)

  // One client less, and there is room for the client that adds less than the other that waits.
  const gone = others.find((name) => first.has(name))
  clients.splice(
    clients.findIndex(({ metadata }) => metadata.name === gone),
    1,
  )
  const third = await place.published((await publish()).index)
  expect([third.get(grows)?.jwks.length, third.has(left[0]!)]).toEqual([14, false])
}, 60_000)
