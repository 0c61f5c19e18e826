import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { rateSetName } from '#rates/published/financial-year.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import { createLog } from '#runtime/log.ts'
import { inventedSet } from '../test/operator/invented-set.ts'
import { SECRETS, startWorld, type Conditioned, type RunningOperator, type World } from '../test/operator/world.ts'
import { clientName, clientOf } from './bare-objects.ts'
import { halves, moveTo } from './cores.ts'
import { bareSeconds, serverSoFar } from './kube-floor.ts'
import { ratioOf, type Section } from './report.ts'
import { meanBytes } from './stored-bytes.ts'
import { untilReconciled, writesSoFar } from './until-reconciled.ts'

const CODES = 100
const YEARS = ['2024-2025', '2025-2026', '2026-2027', '2027-2028', '2028-2029']
const CLIENTS = 10_000
const OBJECTS = CODES * YEARS.length + CLIENTS
/** A Secret and a status for each client; a shard, a status and an event for each set. */
const LEAST_WRITES = 2 * CLIENTS + 3 * CODES * YEARS.length
const TARGET_SECONDS = 60
const TARGET_MB = 300
const TARGET_RATIO = 1.2
// The default lease of the program, the memory settings of the chart, and statuses without the default rate of 50 a second,
// with which 10,500 take 210 s on any machine.
const ENVIRONMENT = {
  LEASE_SECONDS: '15',
  NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=4',
  ...{ MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
  STATUS_WRITES_PER_SECOND: '10000',
}
const API = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway'

interface Outcome {
  seconds: number
  megabytes: number
  cpuSeconds: number
  /** Writes of kube-apiserver during the run, and its processor time. */
  server: { writes: number; cpuSeconds: number }
  /** Times of the bare loops that write the least for as many objects. */
  floorSeconds: { before: number; after: number }
  /** The mean size of the objects of the run and of the bare loop before it. */
  bytes: { mean: number; floor: number }
  /** From the change of one set to its published status, with everything else in place. */
  changeSeconds: number
}

/**
 * Hundreds of invented rate sets and thousands of clients that exist before an operator starts for the first time; once
 * with all programs on all cores, and once with kube-apiserver and etcd on cores of their own, as in a cluster.
 */
export async function operatorScale(): Promise<Section> {
  const { first, second } = halves()
  const shared = await measure(await startWorld())
  moveTo(first)
  try {
    const world = await startWorld()
    moveTo(second)
    return section(shared, await measure(world))
  } finally {
    moveTo(`${first},${second}`)
  }
}

async function measure(world: World): Promise<Outcome> {
  try {
    await create(world)
    const { kubeConfig, kubeConfigFor } = world.controlPlane
    const server = { admin: kubeConfig, operator: kubeConfigFor('driveaway-operator') }
    const bare = (namespace: string) => bareSeconds(server, { namespace, clients: CLIENTS, sets: sets() })
    const before = await bare('bare-before')
    const outcome = await reconcile(world)
    const mean = await meanBytes(kubeConfig, { namespace: 'driveaway', secretsNamespace: SECRETS })
    const floor = await meanBytes(kubeConfig, { namespace: 'bare-before', secretsNamespace: 'bare-before' })
    return { ...outcome, bytes: { mean, floor }, floorSeconds: { before, after: await bare('bare-after') } }
  } finally {
    await world.stop()
  }
}

async function create({ controlPlane }: World): Promise<void> {
  const objects = [
    ...sets().map((spec) => ({ kind: 'RateSet', name: rateSetName(spec.pricingCode, spec.financialYear), spec })),
    ...Array.from({ length: CLIENTS }, (_, index) => client(index)),
  ]
  await inParallel(16, objects, async ({ kind, name, spec }) => {
    const body = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind, metadata: { name, namespace: 'driveaway' }, spec }
    const path = `${API}/${kind.toLowerCase()}s`
    await requestKube(controlPlane.kubeConfig, { method: 'POST', path, body, timeoutMs: 120_000 })
  })
}

/** AU_AA, AU_AB and so on: the federal set and invented states. */
function sets() {
  const letter = (at: number) => String.fromCharCode('A'.charCodeAt(0) + at)
  const states = Array.from({ length: CODES - 1 }, (_, at) => `AU_${letter(Math.floor(at / 26))}${letter(at % 26)}`)
  return YEARS.flatMap((year) => ['AU', ...states].map((code) => inventedSet(code, { year })))
}

function client(index: number) {
  const name = clientName(index)
  return { kind: 'ShowroomClient', name, spec: clientOf(name).spec }
}

async function reconcile(world: World): Promise<Omit<Outcome, 'floorSeconds' | 'bytes'>> {
  const { kubeConfig } = world.controlPlane
  const before = await serverSoFar(kubeConfig)
  const writes = { least: LEAST_WRITES, before: await writesSoFar(kubeConfig) }
  const start = performance.now()
  const operator = await world.startOperator(ENVIRONMENT)
  const seconds = await untilReconciled(operator, { kubeConfig, writes, objects: OBJECTS, start })
  const usage = await observe(operator)
  const after = await serverSoFar(kubeConfig)
  const server = { writes: after.writes - before.writes, cpuSeconds: after.cpuSeconds - before.cpuSeconds }
  return { seconds, ...usage, server, changeSeconds: await changeOne(world) }
}

/** Seconds until one changed set among all others has its new status. */
async function changeOne(world: World): Promise<number> {
  const watching = { kube: kubeOf(world.controlPlane.kubeConfig), log: createLog({ name: 'bench', level: 'silent' }) }
  const rateSets = startWatch<Conditioned>({ ...watching, path: `${API}/ratesets`, onChange: () => undefined })
  await rateSets.synced
  const spec = inventedSet('AU_AA', { fee: '12.00' })
  const key = `driveaway/${rateSetName(spec.pricingCode, spec.financialYear)}`
  const before = rateSets.objects.get(key)?.status?.digest
  const start = performance.now()
  await world.applySet(spec)
  while (rateSets.objects.get(key)?.status?.digest === before) await sleep(5)
  const seconds = (performance.now() - start) / 1000
  await rateSets.stop()
  return seconds
}

/** The processor time so far, from the program's own metrics, and the highest memory use, from the kernel. */
async function observe({ healthUrl, child }: RunningOperator): Promise<Pick<Outcome, 'megabytes' | 'cpuSeconds'>> {
  const text = await (await fetch(`${healthUrl}/metrics`)).text()
  const cpuSeconds = Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
  const kibibytes = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1])
  return { megabytes: (kibibytes * 1024) / 1e6, cpuSeconds }
}

function section(shared: Outcome, apart: Outcome): Section {
  const { seconds, megabytes, cpuSeconds, changeSeconds, server } = shared
  const how =
    `${CODES * YEARS.length} invented rate sets and ${CLIENTS} clients on a real kube-apiserver, with etcd on the same machine; timed from ` +
    'the start of the first operator until each object is published and has its status, each client its secret, and each set its ' +
    "event. The bare loop writes objects of the same size and with the same fields on the same server, as the operator's user: for each client a secret " +
    'and a status, and for each set its spec, a status and an event; once before and once after, because the server becomes slower as its store fills. Statuses are written without a rate limit; at the default of 50 a second they take 210 s. ' +
    'The rows with a control plane apart are of a second run: kube-apiserver and etcd have half of the cores, the operator and the bare ' +
    'loop the other half, as in a cluster, whose control plane has machines of its own. On shared cores, ' +
    'each second of processor time that the operator takes is taken from kube-apiserver.'
  const time = compared(seconds, { of: TARGET_SECONDS, unit: 's' })
  const memory = compared(megabytes, { of: TARGET_MB, unit: 'MB' })
  const rest = { target: '', met: null }
  const cpu = compared(cpuSeconds, { of: TARGET_SECONDS, unit: 's' })
  const serverCpu = compared(server.cpuSeconds, { of: TARGET_SECONDS, unit: 's' })
  const written = {
    measured: String(server.writes),
    ratio: ratioOf(server.writes, OBJECTS),
    comparedWith: 'the number of objects',
  }
  const sizes = { ...besideFloor(shared.bytes), ...rest }
  const change = { ...compared(changeSeconds, { of: 2, unit: 's' }), ...rest }
  const figures = [
    { what: 'all reconciled', ...time },
    { what: 'all reconciled, the control plane apart', ...besideBareWrites(apart) },
    { what: 'all reconciled, on shared cores', ...besideBareWrites(shared) },
    { what: 'a stored object', ...sizes },
    { what: 'writes to kube-apiserver', ...written, ...rest },
    { what: 'memory at most', ...memory },
    { what: "the operator's own processor time", ...cpu, ...rest },
    { what: "kube-apiserver's processor time", ...serverCpu, ...rest },
    { what: 'then a change of one set', ...change },
  ]
  return { title: 'An operator from nothing', how, figures }
}

function besideBareWrites({ seconds, floorSeconds: { before, after } }: Outcome) {
  const mean = (before + after) / 2
  return {
    measured: `${seconds.toFixed(1)} s; peer ${mean.toFixed(1)} s (${before.toFixed(1)} s before, ${after.toFixed(1)} s after)`,
    ratio: ratioOf(seconds, mean),
    comparedWith: 'the bare writes of as many objects, before and after',
    target: `at most ${TARGET_RATIO}`,
    met: seconds <= TARGET_RATIO * mean,
  }
}

const besideFloor = ({ mean, floor }: Outcome['bytes']) => ({
  measured: `${mean.toFixed(0)} bytes; peer ${floor.toFixed(0)} bytes`,
  ratio: ratioOf(mean, floor),
  comparedWith: 'an object of the bare writes',
})

function compared(value: number, { of, unit }: { of: number; unit: string }) {
  const comparedWith = `${of} ${unit}`
  const measured = `${value.toFixed(1)} ${unit}`
  return { measured, ratio: ratioOf(value, of), comparedWith, target: `at most 1 (${comparedWith})`, met: value < of }
}
