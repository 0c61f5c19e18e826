import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addresses, clientCredentials } from '../stack/addresses.ts'
import { apply, call, untilEstablished, type Kubectl } from '../stack/apply.ts'
import { newCrew, type Crew } from '../stack/crew.ts'
import { callApi, requestToken, type Quote } from '../stack/first-quote.ts'
import { freePort } from '../stack/free-port.ts'
import { launchProgram, namespace, programs, type Program } from '../stack/programs.ts'
import { startServers, type Servers } from '../stack/servers.ts'
import { root } from '../stack/settings.ts'

/** A RateSet, with only the fields that the walk reads. */
export interface RateSet {
  status?: {
    digest?: string
    attestation?: string
    conditions?: { type: string; status: string; reason: string; message: string }[]
  }
}

/** A cluster with a release of Driveaway: staging or production. */
export interface Region {
  name: string
  kubectl: Kubectl
  /** The variables that a shell needs to call the region's APIs. */
  variables: Record<string, string>
  applyOverlay(folder: string): Promise<void>
  rateSet(name: string): Promise<RateSet>
  quote(request: object): Promise<Quote>
}

/** Where a region runs and what stops it; the crew exists before anything of the region runs. */
export interface Ground {
  name: string
  directory: string
  crew: Crew
}

type Say = (line: string) => void

export function newGround(folder: string, name: string, say: Say): Ground {
  const directory = join(folder, name)
  mkdirSync(join(directory, 'logs'), { recursive: true })
  return { name, directory, crew: newCrew(join(directory, 'stack.json'), say) }
}

/** Starts the servers of a region and applies the kinds, the rights and the demo clients; no program runs yet. */
export async function prepareServers({ crew, directory }: Ground): Promise<Servers> {
  const servers = await startServers(crew, () => undefined, directory)
  const { kubectl } = servers
  await apply(kubectl, join(root, 'crds/manifests'))
  await untilEstablished(kubectl)
  for (const path of ['tools/stack/namespaces.yaml', 'tools/stack/rbac']) await apply(kubectl, join(root, path))
  await apply(kubectl, join(root, 'test/demo/clients'), namespace)
  return servers
}

/** Applies an overlay as a GitOps tool would. */
export async function applyOverlay(kubectl: Kubectl, folder: string): Promise<void> {
  await call(kubectl, ['apply', '--server-side', '--force-conflicts', '--kustomize', folder])
}

/** Starts the operator, with these settings added, and the pricing API, on servers that already have rate sets. */
export async function startRegion(
  ground: Ground,
  { kubectl, kubeConfig, kubeconfigs, natsUrl }: Servers,
  settings: Record<string, string>,
): Promise<Region> {
  const ports = { pricing: await freePort(), inventory: await freePort(), health: await freePort() }
  const healthPorts = { operator: await freePort(), inventory: await freePort(), worker: await freePort() }
  const all = programs({ ports, healthPorts, kubeconfigs, natsUrl, logLevel: 'info' })
  const asked = { API_HEALTH_URLS: `http://127.0.0.1:${ports.health}` }
  const started = all
    .filter(({ name }) => name === 'operator' || name === 'pricing')
    .map((each) => (each.name === 'operator' ? { ...each, env: { ...each.env, ...asked, ...settings } } : each))
  await Promise.all(started.map((program) => launch(ground, program)))
  const variables = addresses(ports, kubectl.kubeconfig, natsUrl)
  Object.assign(variables, await clientCredentials(kubeConfig))
  return {
    name: ground.name,
    kubectl,
    variables,
    applyOverlay: (folder) => applyOverlay(kubectl, folder),
    rateSet: async (name) => JSON.parse(await call(kubectl, ['get', 'rateset', name, '--output', 'json'])) as RateSet,
    quote: async (request) =>
      callApi<Quote>(`${variables['PRICING_URL']}/v1/quote`, await requestToken(variables), request),
  }
}

function launch({ crew, directory }: Ground, program: Program) {
  const logDirectory = join(directory, 'logs')
  return crew.start(program.name, (signal) => launchProgram(program, { root, logDirectory, signal }))
}
