import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientBinding, Loaded } from '#rates/published/format.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { inventedSet } from '../test/operator/invented-set.ts'
import { startWorld, type World } from '../test/operator/world.ts'
import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { freePort } from '../tools/stack/free-port.ts'
import { startChild, type Child } from '../tools/stack/child.ts'
import { ratioOf, type Section } from './report.ts'

/** A smaller number gives a quicker trial; the page is written with the default. */
const CLIENTS = Number(process.env['CLIENTS'] ?? 50_000)
const GIVE_UP_MS = 1_800_000
/** The lease of the program, not that of the tests, and the heap that 50,000 clients need. */
const ENVIRONMENT = { LEASE_SECONDS: '15', NODE_OPTIONS: '--max-old-space-size=512 --max-semi-space-size=16' }
const API = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway/showroomclients'
const root = join(import.meta.dirname, '..')

interface Program {
  child: Child
  healthUrl: string
}

interface Outcome {
  operator: { publishedSeconds: number; mebibytes: number; cpuSeconds: number }
  api: { readySeconds: number; mebibytes: number; cpuSeconds: number }
  /** From the answer to a suspension until the API refuses the client. */
  changeSeconds: number
}

/** Tens of thousands of clients in one release: what an operator and an API process need, and one change among them. */
export async function manyClients(): Promise<Section> {
  const world = await startWorld()
  const folder = temporaryDirectory('bench')
  const programs: Child[] = []
  try {
    for (const code of ['AU', 'AU_AA']) await world.applySet(inventedSet(code))
    const names = Array.from({ length: CLIENTS }, (_, nth) => `client-${String(nth).padStart(5, '0')}`)
    await inParallel(16, names, (name) => create(world, name))
    return section(await measure(world, { folder: folder.path, programs }))
  } finally {
    await Promise.all(programs.map((child) => child.stop()))
    await world.stop()
    folder.remove()
  }
}

/** A client of an external issuer: the operator makes no secret for it. */
const specOf = (name: string, suspended = false) => ({
  displayName: name,
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote' as const],
  suspended,
  credentials: [{ subject: { issuer: 'https://login.example.com/', subject: name } }],
})

async function create({ controlPlane }: World, name: string): Promise<void> {
  const kind = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
  const body = { ...kind, metadata: { name, namespace: 'driveaway' }, spec: specOf(name) }
  await requestKube(controlPlane.kubeConfig, { method: 'POST', path: API, body, timeoutMs: 120_000 })
}

async function measure(world: World, around: { folder: string; programs: Child[] }): Promise<Outcome> {
  const start = performance.now()
  const operator = await world.startOperator(ENVIRONMENT)
  // Reading all shards costs the server and this process much; a second more or less does not matter here.
  await until('every client to be published', async () => (await published(world)).size === CLIENTS, 1000)
  const publishedSeconds = (performance.now() - start) / 1000
  const [ofOperator, started] = [await usageOf(operator.healthUrl), performance.now()]
  const api = await startApi(world, around)
  await until('the API to be ready', async () => (await fetch(`${api.healthUrl}/readyz`)).ok)
  const readySeconds = (performance.now() - started) / 1000
  const ofApi = await usageOf(api.healthUrl)
  const changeSeconds = await changeOne(world, api)
  return {
    operator: { publishedSeconds, ...ofOperator },
    api: { readySeconds, ...ofApi },
    changeSeconds,
  }
}

const published = async (world: World): Promise<ReadonlyMap<string, ClientBinding>> =>
  (await world.publishedClients().catch(() => undefined))?.clients ?? new Map<string, ClientBinding>()

async function startApi({ controlPlane }: World, around: { folder: string; programs: Child[] }): Promise<Program> {
  const [pricing, health] = [await freePort(), await freePort()]
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...{ SERVE: 'pricing', HOST: '127.0.0.1', HEALTH_HOST: '127.0.0.1', NAMESPACE: 'driveaway' },
    ...{ RATES_SOURCE: 'kubernetes', KUBECONFIG: controlPlane.kubeconfigFor('driveaway-api') },
    ...{ PRICING_PORT: String(pricing), HEALTH_PORT: String(health) },
    ...{ ISSUER: 'https://driveaway.example/', AUDIENCE: 'https://driveaway.example/' },
  }
  const program = { name: 'api', command: process.execPath, args: [join(root, 'api/main.ts')], cwd: root }
  const child = await startChild({ ...program, env, logFile: join(around.folder, 'api.log') })
  around.programs.push(child)
  return { child, healthUrl: `http://127.0.0.1:${health}` }
}

/** Seconds from the server's answer to one suspension until the API process uses clients with the suspension. */
async function changeOne(world: World, { healthUrl }: Program): Promise<number> {
  const loaded = async () => ((await (await fetch(`${healthUrl}/loaded`)).json()) as Loaded).clients?.digest
  const before = await loaded()
  const name = `client-${String(Math.floor(CLIENTS / 2)).padStart(5, '0')}`
  await world.applyClient(name, specOf(name, true))
  const applied = performance.now()
  await until('the suspension', async () => (await loaded()) !== before)
  return (performance.now() - applied) / 1000
}

async function until(what: string, isSo: () => Promise<boolean>, everyMs = 20): Promise<void> {
  const start = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - start > GIVE_UP_MS) throw new Error(`waited ${GIVE_UP_MS} ms in vain for ${what}`)
    await sleep(everyMs)
  }
}

/** Memory and processor time of a program so far, from its own metrics. */
async function usageOf(healthUrl: string): Promise<{ mebibytes: number; cpuSeconds: number }> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text()
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? NaN)
  return {
    mebibytes: metric('process_resident_memory_bytes') / 2 ** 20,
    cpuSeconds: metric('process_cpu_seconds_total'),
  }
}

function section({ operator, api, changeSeconds }: Outcome): Section {
  const rest = { target: '', met: null }
  const of = (what: string, value: number, [base, unit]: [number, string]) => ({
    ...{ what, measured: `${value.toFixed(1)} ${unit}`, ratio: ratioOf(value, base), comparedWith: `${base} ${unit}` },
    ...rest,
  })
  return {
    title: 'Many clients in one release',
    how:
      `${CLIENTS} clients of an external issuer on a real kube-apiserver, with etcd on the same machine; the operator has a heap of 512 MiB, and is timed from ` +
      'its start until an index with every client is published, the API process from its start until it is ready, and one ' +
      'suspension from the answer of kube-apiserver until the API process uses it. Statuses are still being written then.',
    figures: [
      of('the operator, until every client is published', operator.publishedSeconds, [60, 's']),
      of('the operator, processor time until then', operator.cpuSeconds, [60, 's']),
      of('the operator, memory then', operator.mebibytes, [300, 'MiB']),
      of('the API process, until it is ready', api.readySeconds, [10, 's']),
      of('the API process, processor time until then', api.cpuSeconds, [10, 's']),
      of('the API process, memory then', api.mebibytes, [300, 'MiB']),
      of('one suspension, until the API process uses it', changeSeconds, [1, 's']),
    ],
  }
}
