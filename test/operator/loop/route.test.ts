import { expect, test } from 'vitest'
import { router } from '../../../operator/loop/route.ts'
import type { WrittenIndex } from '../../../operator/publish/apply.ts'
import type { ShowroomClientObject, ShowroomClientSpec } from '../../../operator/showroom-client/object.ts'
import type { ObjectChange, Watches } from '../../../operator/loop/watches.ts'

const key = (kid: string) => ({ kty: 'OKP' as const, kid })
const spec: ShowroomClientSpec = {
  displayName: 'Invented Motors',
  showroomCodes: ['MEL01', 'SYD01'],
  grants: ['pricing:quote', 'inventory:write'],
  credentials: [{ secretRef: { name: 'northside' } }, { jwks: { keys: [key('a'), key('b')] } }],
}

const client = (change: Partial<ShowroomClientSpec>, generation: number, uid = 'u'): ShowroomClientObject => ({
  ...{ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient', spec: { ...spec, ...change } },
  metadata: { name: 'northside', namespace: 'driveaway', uid, generation, resourceVersion: '1' },
})
const going = (generation: number) => {
  const kept = client({}, generation)
  return { ...kept, metadata: { ...kept.metadata, deletionTimestamp: '2026-11-22T00:00:00Z' as never } }
}
const secret = (text: string) => ({ metadata: { name: 'northside' }, data: { clientSecret: text } })

const SHARD = 'clients-v2-7'

/** What the router does with a change, when `northside` and its Secret were there before and `own` was made here. */
function routed(written?: WrittenIndex, own?: string) {
  const done: string[] = []
  const say = (what: string) => (key: string, order?: { first: boolean } | number) =>
    void done.push(`${what} ${key}${typeof order === 'object' && order.first ? ' first' : ''}`)
  const kept = (...objects: { metadata?: { name?: string; uid?: string } }[]) => ({
    objects: new Map(objects.map((each) => [String(each.metadata?.name), each])),
  })
  const watches = {
    ...{ rateSets: kept(), clients: kept(client({}, 1)), clientSecrets: kept(secret('one')) },
    published: kept({ metadata: { name: SHARD, uid: 'first' } }),
  }
  const route = router({
    publications: { add: say('now'), addAfter: say('later') },
    statuses: { add: say('status') },
    chores: { add: say('chore') },
    debounceMs: () => 50,
    watches: watches as unknown as Watches,
    isOwnSecret: ({ metadata }) => metadata?.name === own,
    ledgers: { rates: {}, clients: written ? { written } : {} },
  })
  return (change: Partial<ObjectChange>) => {
    done.length = 0
    route({ watched: 'clients', name: 'northside', object: undefined, ...change } as ObjectChange)
    return done
  }
}

const revocations: [string, Partial<ObjectChange>][] = [
  ['a suspension', { object: client({ suspended: true }, 2) }],
  ['a showroom taken away', { object: client({ showroomCodes: ['MEL01'] }, 2) }],
  ['a grant taken away', { object: client({ grants: ['pricing:quote'] }, 2) }],
  ['a credential taken away', { object: client({ credentials: spec.credentials.slice(1) }, 2) }],
  [
    'a key taken out of a key set',
    { object: client({ credentials: [spec.credentials[0]!, { jwks: { keys: [key('a')] } }] }, 2) },
  ],
  ['a deleted client', { object: undefined }],
  ['a deleted client that a finalizer keeps', { object: going(2) }],
  ['a client made anew under the same name', { object: client({}, 1, 'another') }],
  ['a replaced Secret', { watched: 'clientSecrets', object: secret('two') }],
  ['a deleted Secret', { watched: 'clientSecrets', object: undefined }],
]

test.each(revocations)('%s is published at once, before everything else', (_, change) => {
  expect(routed()(change)).toContain('now publish/clients first')
})

const others: [string, Partial<ObjectChange>, string[]][] = [
  [
    'a showroom added',
    { object: client({ showroomCodes: ['MEL01', 'SYD01', 'BNE01'] }, 2) },
    ['status client/northside first', 'later publish/clients'],
  ],
  ['a status of our own', { object: client({}, 1) }, ['status client/northside']],
  [
    'a new client',
    { name: 'westside', object: client({}, 1, 'w') },
    ['status client/westside first', 'later publish/clients'],
  ],
  ['a new Secret', { watched: 'clientSecrets', name: 'westside', object: secret('one') }, ['later publish/clients']],
  ['a Secret with the same text', { watched: 'clientSecrets', object: { ...secret('one'), kind: 'Secret' } }, []],
]

test.each(others)('%s takes nothing away', (_, change, expected) => {
  expect(routed()(change)).toEqual(expected)
})

test.each([
  ['the Secret of the signing keys', { watched: 'signingKeys', name: 'driveaway-signing-keys' }],
  ['the public keys', { watched: 'published', name: 'driveaway-public-keys' }],
] as const)('a change of %s is a turn of the keys and publishes nothing', (_, change) => {
  expect(routed()(change)).toEqual(['chore signing-keys'])
})

test('a new Secret that this process made itself sets nothing off; its replacement and its deletion do', () => {
  const change = routed(undefined, 'northside')
  const of = (object: ReturnType<typeof secret> | undefined) => ({ watched: 'clientSecrets' as const, object })
  const first = ['now publish/clients first']
  expect(change(of(undefined))).toEqual(first)
  expect(change(of(secret('two')))).toEqual([])
  expect(change(of(secret('three')))).toEqual(first)
})

const OWN = '{"sequence":7}'
const indexOf = (text: string | undefined, resourceVersion: string) => ({
  ...{ watched: 'published' as const, name: 'driveaway-clients' },
  object: {
    metadata: { name: 'driveaway-clients', resourceVersion },
    ...(text !== undefined && { data: { 'index.json': text } }),
  },
})

test('the index that this process wrote itself sets nothing off, and any other one does', () => {
  const answered = { text: OWN, resourceVersion: '12' }
  const again = ['later publish/clients']
  expect(routed(answered)(indexOf(OWN, '12'))).toEqual([])
  // The watch may be faster than the answer.
  expect(routed({ text: OWN })(indexOf(OWN, '12'))).toEqual([])
  expect(routed(answered)(indexOf('{"sequence":8}', '13'))).toEqual(again)
  // Somebody put an index back.
  expect(routed(answered)(indexOf(OWN, '14'))).toEqual(again)
  expect(routed(answered)({ ...indexOf('', ''), object: undefined })).toEqual(again)
  expect(routed(undefined)(indexOf(OWN, '12'))).toEqual(again)
})

test('an index that this process made empty sets nothing off; one that somebody emptied does', () => {
  const again = ['later publish/clients']
  expect(routed({ text: undefined, resourceVersion: '12' })(indexOf(undefined, '12'))).toEqual([])
  expect(routed({ text: undefined })(indexOf(undefined, '12'))).toEqual([])
  expect(routed({ text: undefined, resourceVersion: '12' })(indexOf(undefined, '13'))).toEqual(again)
  expect(routed({ text: OWN, resourceVersion: '12' })(indexOf(undefined, '12'))).toEqual(again)
  expect(routed(undefined)(indexOf(undefined, '12'))).toEqual(again)
})

test('a history that somebody emptied, damaged or deleted is made again; a first one sets nothing off', () => {
  const named = { watched: 'published' as const, name: 'driveaway-clients-history' }
  const historyOf = (data: Record<string, string>) => ({ ...named, object: { metadata: { name: named.name }, data } })
  const whole = historyOf({ 'history.json': '{"formatVersion":1}' })
  const again = ['later publish/clients']
  for (const data of [{}, ...['', '{"formatV', 'null', '[]'].map((text) => ({ 'history.json': text }))]) {
    const change = routed()
    expect([change(historyOf(data)), change(whole), change(whole)].flat()).toEqual([])
    expect(change(historyOf(data))).toEqual(again)
  }
  expect(routed()({ ...named, object: undefined })).toEqual(again)
})

test('a shard that was deleted, or made anew while the watch was behind, is looked at; new and relabelled ones set nothing off', () => {
  const shard = (name: string, uid: string) => ({
    watched: 'published' as const,
    name,
    object: { metadata: { name, uid } },
  })
  const both = ['later publish/rates', 'later publish/clients']
  expect(routed()(shard('clients-v2-8', 'new'))).toEqual([])
  expect(routed()(shard(SHARD, 'first'))).toEqual([])
  expect(routed()(shard(SHARD, 'second'))).toEqual(both)
  expect(routed()({ ...shard(SHARD, 'first'), object: undefined })).toEqual(both)
})
