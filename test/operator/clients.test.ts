import type { V1Secret } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSecret } from '#rates/published/hashed-secret.ts'
import { requestKube } from '#runtime/kube/request.ts'
import type { ShowroomClientSpec } from '../../operator/showroom-client/object.ts'
import { waitFor } from '../harness/wait-for.ts'
import { SECRETS, startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
  await world.startOperator()
}, 60_000)
afterAll(() => world.stop())

const spec = (secret: string, more: Partial<ShowroomClientSpec> = {}): ShowroomClientSpec => ({
  displayName: 'Invented Motors',
  showroomCodes: ['MEL01', 'SYD01'],
  grants: ['inventory:write', 'pricing:quote'],
  credentials: [{ secretRef: { name: secret } }],
  ...more,
})
const subjectOf = (name: string) => ({ subject: { issuer: 'https://login.example.com/', subject: name } })

const bindingOf = (name: string) =>
  waitFor(`the binding of ${name}`, async () => (await world.publishedClients()).clients.get(name))

const secretText = async (name: string) => {
  const secret = await waitFor(`Secret ${name}`, () => world.read<V1Secret>('Secret', name))
  return { type: secret.type, text: Buffer.from(secret.data?.['clientSecret'] ?? '', 'base64').toString() }
}

function supply(name: string, text: string, type = 'rates.driveaway.dev/client-secret') {
  const data = { clientSecret: Buffer.from(text).toString('base64') }
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, data }
  const path = `/api/v1/namespaces/${SECRETS}/secrets`
  return requestKube(world.controlPlane.kubeConfig, { method: 'POST', path, body })
}

test('an absent client secret is made of 256 bits, and only its salted hash is published', async () => {
  await world.applyClient('northside', spec('northside'))
  const binding = await bindingOf('northside')
  const { type, text } = await secretText('northside')
  expect(type).toBe('rates.driveaway.dev/client-secret')
  expect(Buffer.from(text, 'base64url')).toHaveLength(32)
  const [published] = binding.secrets
  expect(published).toEqual(hashSecret(text, published?.salt ?? ''))
  const configMaps = await world.list('/api/v1/namespaces/driveaway/configmaps')
  expect(JSON.stringify(configMaps)).not.toContain(text)
  await world.until('ShowroomClient', 'northside', ['Ready', 'True'])
})

test('a binding carries the uid of its object, and a client made anew has another', async () => {
  await world.applyClient('westside', spec('westside'))
  const { uid } = await bindingOf('westside')
  expect(uid).toBe((await world.read('ShowroomClient', 'westside'))?.metadata?.uid)
  await world.remove('ShowroomClient', 'westside')
  await waitFor('westside to be unbound', async () => !(await world.publishedClients()).clients.has('westside'))
  await world.applyClient('westside', spec('westside'))
  expect((await bindingOf('westside')).uid).not.toBe(uid)
})

test('a run without a change publishes nothing new', async () => {
  await world.applyClient('lakeside', spec('lakeside'))
  await world.until('ShowroomClient', 'lakeside', ['Ready', 'True'])
  const { index } = await world.publishedClients()
  await world.remove('ConfigMap', 'driveaway-clients')
  const again = await waitFor('the clients index to be back', () => world.publishedClients())
  expect(again.index.digest).toBe(index.digest)
  expect(again.index.sequence).toBe(index.sequence + 1)
})

test('an index that lost its label and was made immutable is replaced', async () => {
  await world.applyClient('hillside', spec('hillside'))
  await bindingOf('hillside')
  const path = '/api/v1/namespaces/driveaway/configmaps/driveaway-clients'
  const contentType = 'application/merge-patch+json'
  const body = { metadata: { labels: { 'rates.driveaway.dev/published': null } }, immutable: true }
  await requestKube(world.controlPlane.kubeConfig, { method: 'PATCH', path, contentType, body })
  await world.applyClient('hillside', spec('hillside', { suspended: true }))
  await waitFor('the suspension', async () => (await bindingOf('hillside')).suspended)
})

test('a supplied secret that is too short, and one of another type, are not taken', async () => {
  await supply('short', 'a'.repeat(42))
  await supply('opaque', 'a'.repeat(43), 'Opaque')
  await supply('long', 'a'.repeat(43))
  for (const name of ['short', 'opaque', 'long']) await world.applyClient(name, spec(name))
  const short = await world.until('ShowroomClient', 'short', ['Ready', 'False'])
  expect(short.message).toMatch(/credentials\[0\].*42 characters; expected at least 43/)
  const opaque = await world.until('ShowroomClient', 'opaque', ['Ready', 'False'])
  expect(opaque.message).toContain('another type')
  expect((await bindingOf('long')).secrets).toHaveLength(1)
  const { clients } = await world.publishedClients()
  expect([clients.has('short'), clients.has('opaque')]).toEqual([false, false])
})

test('a replaced secret takes the place of the old one', async () => {
  await supply('replaced', 'a'.repeat(43))
  await world.applyClient('replaced', spec('replaced'))
  const before = (await bindingOf('replaced')).secrets[0]
  const path = `/api/v1/namespaces/${SECRETS}/secrets/replaced`
  const data = { clientSecret: Buffer.from('b'.repeat(50)).toString('base64') }
  const contentType = 'application/merge-patch+json'
  await requestKube(world.controlPlane.kubeConfig, { method: 'PATCH', path, contentType, body: { data } })
  const expected = hashSecret('b'.repeat(50), before?.salt ?? '')
  await waitFor('the new hash', async () => (await bindingOf('replaced')).secrets[0]?.hash === expected.hash)
})

test('a Secret that was deleted is made anew, and an event says that the client needs the new one', async () => {
  await world.applyClient('forgotten', spec('forgotten'))
  await world.until('ShowroomClient', 'forgotten', ['Ready', 'True'])
  const { text } = await secretText('forgotten')
  const path = `/api/v1/namespaces/${SECRETS}/secrets/forgotten`
  await requestKube(world.controlPlane.kubeConfig, { method: 'DELETE', path })
  await waitFor('another secret', async () => (await secretText('forgotten')).text !== text)
  const event = await waitFor('the event', async () => {
    type Event = V1Secret & { reason: string; type: string; note: string; regarding: { name: string } }
    const events = await world.list<Event>('/apis/events.k8s.io/v1/namespaces/driveaway/events')
    return events.find(({ reason, regarding }) => reason === 'SecretRemade' && regarding.name === 'forgotten')
  })
  expect([event.type, event.note]).toEqual(['Warning', expect.stringContaining('give the new secret to the client')])
})

test('a Secret belongs to one client: the second that names it is at fault, and says whose it is', async () => {
  await world.applyClient('owner', spec('owner'))
  await world.until('ShowroomClient', 'owner', ['Ready', 'True'])
  await world.applyClient('eastside', spec('owner'))
  const { message } = await world.until('ShowroomClient', 'eastside', ['Ready', 'False'])
  expect(message).toMatch(/spec\.credentials\[0\]: Secret owner belongs to client owner/)
  expect((await world.publishedClients()).clients.has('eastside')).toBe(false)
  await world.until('ShowroomClient', 'owner', ['Ready', 'True'])
})

test('a public key that no assertion can be verified with is a fault of its client, by field', async () => {
  const key = { kty: 'EC' as const, crv: 'P-256' as const, x: 'A'.repeat(43), y: 'B'.repeat(43) }
  await world.applyClient('keyed', spec('keyed', { credentials: [{ jwks: { keys: [key] } }] }))
  const { message } = await world.until('ShowroomClient', 'keyed', ['Ready', 'False'])
  expect(message).toMatch(/spec\.credentials\[0\]\.jwks\.keys\[0\]: is not a public key.*unusable-key/)
})

/** Makes a client that is published whole, and another whose subject it claims in vain later. */
async function besideAnother(name: string): Promise<{ subject: ReturnType<typeof subjectOf>; holder: string }> {
  const [subject, holder] = [subjectOf(name), `holder-of-${name}`]
  await world.applyClient(holder, spec(holder, { credentials: [subject] }))
  await world.applyClient(name, spec(name))
  for (const each of [holder, name]) await world.until('ShowroomClient', each, ['Ready', 'True'])
  return { subject, holder }
}

test('a subject belongs to one client, and stays with the one that had it', async () => {
  const { subject, holder } = await besideAnother('claimant')
  const both = [{ secretRef: { name: 'claimant' } }, subject]
  await world.applyClient('claimant', spec('claimant', { credentials: both }))
  const ready = await world.until('ShowroomClient', 'claimant', ['Ready', 'False'])
  expect(ready.message).toMatch(new RegExp(`credentials\\[1\\].*belongs to client ${holder}`))
  expect((await bindingOf('claimant')).subjects).toEqual([])
})

test('the words that a client may use are published once each, and a word that is taken back goes although a field is wrong', async () => {
  const { subject } = await besideAnother('wordy')
  const own = { credentials: [{ secretRef: { name: 'wordy' } }] }
  await world.applyClient('wordy', spec('wordy', { ...own, inventory: { allowedWords: ['Dick', 'Cunt & Sons', 'Dick'] } }))
  const words = (list: readonly string[]) =>
    waitFor(`the words ${list.join()}`, async () => {
      const { allowedWords } = await bindingOf('wordy')
      return JSON.stringify(allowedWords) === JSON.stringify(list)
    })
  await words(['Cunt & Sons', 'Dick'])
  const wrong = { credentials: [...own.credentials, subject], inventory: { allowedWords: ['Dick', 'Wanker'] } }
  await world.applyClient('wordy', spec('wordy', wrong))
  await words(['Dick'])
})

test('suspension and removed rights get through although another field is wrong; given rights do not', async () => {
  const { subject } = await besideAnother('narrowed')
  const changed = spec('narrowed', {
    credentials: [{ secretRef: { name: 'narrowed' } }, subject],
    suspended: true,
    showroomCodes: ['SYD01', 'BNE01'],
    grants: ['pricing:quote'],
  })
  await world.applyClient('narrowed', changed)
  const binding = await waitFor('the suspension', async () => {
    const found = await bindingOf('narrowed')
    return found.suspended && found
  })
  expect(binding).toMatchObject({ showroomCodes: ['SYD01'], grants: ['pricing:quote'], subjects: [] })
  expect(binding.secrets).toHaveLength(1)
  await world.until('ShowroomClient', 'narrowed', ['Published', 'True', 'Narrowed'])
  await world.applyClient('narrowed', { ...changed, suspended: false })
  await world.until('ShowroomClient', 'narrowed', ['Ready', 'False'])
  expect((await bindingOf('narrowed')).suspended).toBe(true)
  await world.applyClient('narrowed', spec('narrowed'))
  await waitFor('the suspension to end', async () => !(await bindingOf('narrowed')).suspended)
})

test('a deleted client that a finalizer keeps is suspended until it goes, and says so', async () => {
  await world.applyClient('harbour', spec('harbour'))
  expect((await bindingOf('harbour')).suspended).toBe(false)
  const path = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients/harbour'
  const keptBy = (finalizers: string[]) => {
    const contentType = 'application/merge-patch+json'
    const body = { metadata: { finalizers } }
    return requestKube(world.controlPlane.kubeConfig, { method: 'PATCH', path, contentType, body })
  }
  await keptBy(['example.org/keep'])
  await world.remove('ShowroomClient', 'harbour')
  await waitFor('the suspension', async () => (await bindingOf('harbour')).suspended)
  const { message } = await world.until('ShowroomClient', 'harbour', ['Ready', 'True', 'Suspended'])
  expect(message).toContain('is deleted')
  await keptBy([])
  await waitFor('harbour to be unbound', async () => !(await world.publishedClients()).clients.has('harbour'))
})

test('a removed credential is out although another field is wrong', async () => {
  const { subject } = await besideAnother('stripped')
  expect((await bindingOf('stripped')).secrets).toHaveLength(1)
  await world.applyClient('stripped', spec('stripped', { credentials: [subject] }))
  await waitFor('the secret to be out', async () => (await bindingOf('stripped')).secrets.length === 0)
})
