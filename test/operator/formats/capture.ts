import { writeFileSync } from 'node:fs'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { PUBLISHED_LABEL } from '#rates/published/format.ts'
import { PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import { deleteObject } from '#runtime/kube/apply.ts'
import { requestKube } from '#runtime/kube/request.ts'
import type { ShowroomClientSpec } from '../../../operator/showroom-client/object.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../invented-set.ts'
import { startWorld, type Conditioned, type World } from '../world.ts'
import { clientSecretText } from './fixture.ts'

// node test/operator/formats/capture.ts FILE: publishes invented sets and clients with a real operator of this version, and
// writes everything that is stored then. Run it before FORMAT_VERSION is raised: what it writes is the fixture of the
// format before.

const file = process.argv[2]
if (!file) throw new Error('expected the file to write')
const world = await startWorld()
try {
  await publish(world)
  writeFileSync(file, `${JSON.stringify(await stored(world), null, 1)}\n`)
} finally {
  await world.stop()
}

function clientSpec(secret: string, more: Partial<ShowroomClientSpec> = {}): ShowroomClientSpec {
  const grants: ShowroomClientSpec['grants'] = ['inventory:write', 'pricing:quote']
  const credentials = [{ secretRef: { name: secret } }]
  return { displayName: 'Invented Motors', showroomCodes: ['MEL01', 'SYD01'], grants, credentials, ...more }
}

async function publish(world: World): Promise<void> {
  for (const name of ['northside', 'westside']) await createSecret(world, name)
  await world.startOperator()
  await world.applySet(inventedSet('AU', { fee: '1.00' }))
  for (const code of ['AU_NSW', 'AU_VIC', 'AU_QLD']) await world.applySet(inventedSet(code))
  for (const name of ['northside', 'westside']) await world.applyClient(name, clientSpec(name))
  for (const code of ['au', 'au-nsw', 'au-vic', 'au-qld']) await world.until('RateSet', `${code}-fy27`, ['Ready', 'True'])
  for (const name of ['northside', 'westside']) await world.until('ShowroomClient', name, ['Ready', 'True'])
  for (const fee of ['20.00', '30.00']) await publishFee(world, 'AU_NSW', fee)
  await publishFee(world, 'AU_VIC', '12.00')
  // A set at fault, whose last good content is published, and a set whose object is deleted.
  await world.applySet(inventedSet('AU_VIC', { fee: '13.00', example: '11.00' }))
  await world.until('RateSet', 'au-vic-fy27', ['Ready', 'False'])
  await deleteQueensland(world)
  // A client that is suspended, and published narrowed because a credential is at fault.
  const own = { subject: { issuer: 'https://driveaway.example/', subject: 'itself' } }
  const credentials = [{ secretRef: { name: 'westside' } }, own]
  await world.applyClient('westside', clientSpec('westside', { suspended: true, credentials }))
  await world.until('ShowroomClient', 'westside', ['Published', 'True', 'Narrowed'])
  await publishFee(world, 'AU_NSW', '40.00')
  await world.until('RateSet', 'au-nsw-fy27', ['Ready', 'True'])
}

async function publishFee(world: World, code: string, fee: string): Promise<void> {
  await world.applySet(inventedSet(code, { fee }))
  const name = `${code.toLowerCase().replace('_', '-')}-fy27`
  await waitFor(`${name} at ${fee}`, async () => (await world.fee(name)) === fee)
}

async function deleteQueensland(world: World): Promise<void> {
  const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding' }
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'
  for (const { metadata } of await world.list(path))
    await deleteObject(world.controlPlane.kubeConfig, { ...kind, metadata: { name: metadata?.name ?? '' } })
  await waitFor('the object of Queensland to go', () => world.remove('RateSet', 'au-qld-fy27'))
}

async function createSecret({ controlPlane }: World, name: string): Promise<void> {
  const data = { clientSecret: Buffer.from(clientSecretText(name)).toString('base64') }
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'rates.driveaway.dev/client-secret', data }
  const path = '/api/v1/namespaces/driveaway-clients/secrets'
  await requestKube(controlPlane.kubeConfig, { method: 'POST', path, body })
}

async function stored(world: World) {
  const maps = (await world.list<V1ConfigMap>('/api/v1/namespaces/driveaway/configmaps')).filter(
    ({ metadata }) => metadata?.labels?.[PUBLISHED_LABEL] !== undefined && metadata.name !== PUBLIC_KEYS,
  )
  const kinds = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway'
  const [rateSets, showroomClients] = [
    await world.list<Conditioned>(`${kinds}/ratesets`),
    await world.list<Conditioned>(`${kinds}/showroomclients`),
  ]
  for (const { metadata } of [...maps, ...rateSets, ...showroomClients]) delete metadata?.managedFields
  const configMaps = maps.map((map) => ({ ...map, apiVersion: 'v1', kind: 'ConfigMap' }))
  return { configMaps, rateSets, showroomClients }
}
