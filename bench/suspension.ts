import { cpus, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { V1ConfigMap } from '@kubernetes/client-node'
import { CLIENTS_INDEX } from '#rates/published/format.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { requestKube } from '#runtime/kube/request.ts'
import { startWatch } from '#runtime/kube/watch.ts'
import { createLog } from '#runtime/log.ts'
import { startWorld, type Conditioned, type World } from '../test/operator/world.ts'
import { ratioOf, type Section } from './report.ts'
import { percentile } from './rounds.ts'

/** A smaller number gives a quicker trial; the page is written with the default. */
const CLIENTS = Number(process.env['CLIENTS'] ?? 10_000)
const SUSPENSIONS = 60
const APART_MS = 1000
const TARGET_MS = 1000
const GIVE_UP_MS = 600_000
const NAMESPACE = '/namespaces/driveaway'
const API = `/apis/rates.driveaway.dev/v1alpha1${NAMESPACE}/showroomclients`
// The default lease of the program, and the heap size set by the chart.
const ENVIRONMENT = { LEASE_SECONDS: '15', NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=16' }

interface Outcome {
  /** Milliseconds from the answer to the suspension until the index contains it. */
  during: number[]
  quiet: number[]
  /** Number of statuses still to write at the first and the last suspension. */
  backlog: [first: number, last: number]
}

/** The time from a suspension to the index while thousands of statuses are being written. */
export async function suspension(): Promise<Section> {
  const world = await startWorld()
  try {
    await inParallel(
      16,
      Array.from({ length: CLIENTS }, (_, nth) => nameOf(nth)),
      (name) => create(world, name),
    )
    return section(await measure(world))
  } finally {
    await world.stop()
  }
}

const nameOf = (nth: number) => `client-${String(nth).padStart(5, '0')}`
const specOf = (name: string, suspended: boolean) => ({
  displayName: name,
  showroomCodes: ['MEL01'],
  grants: ['pricing:quote' as const],
  suspended,
  credentials: [{ secretRef: { name } }],
})

async function create({ controlPlane }: World, name: string): Promise<void> {
  const kind = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'ShowroomClient' }
  const body = { ...kind, metadata: { name, namespace: 'driveaway' }, spec: specOf(name, false) }
  await requestKube(controlPlane.kubeConfig, { method: 'POST', path: API, body, timeoutMs: 120_000 })
}

async function measure(world: World): Promise<Outcome> {
  const watching = { kube: kubeOf(world.controlPlane.kubeConfig), log: createLog({ name: 'bench', level: 'silent' }) }
  const flips: number[] = []
  const clients = startWatch<Conditioned>({ ...watching, path: API, onChange: () => undefined })
  const index = startWatch<V1ConfigMap>({
    ...watching,
    path: `/api/v1${NAMESPACE}/configmaps`,
    fieldSelector: `metadata.name=${CLIENTS_INDEX}`,
    onChange: () => void flips.push(performance.now()),
  })
  const unwritten = () => [...clients.objects.values()].filter(({ status }) => !status).length
  await Promise.all([clients.synced, index.synced])
  await world.startOperator(ENVIRONMENT)
  await until('the first statuses', () => unwritten() < CLIENTS)
  const first = unwritten()
  const during = await suspend(world, { flips, names: Array.from({ length: SUSPENSIONS }, (_, nth) => nameOf(nth)) })
  const backlog: Outcome['backlog'] = [first, unwritten()]
  await until('every status', () => unwritten() === 0)
  const later = Array.from({ length: SUSPENSIONS }, (_, nth) => nameOf(CLIENTS - 1 - nth))
  const quiet = await suspend(world, { flips, names: later })
  await Promise.all([clients.stop(), index.stop()])
  return { during, quiet, backlog }
}

async function suspend(world: World, { flips, names }: { flips: number[]; names: string[] }): Promise<number[]> {
  const times: number[] = []
  for (const name of names) {
    const from = flips.length
    await world.applyClient(name, specOf(name, true))
    const applied = performance.now()
    times.push((await flipWith(world, name, { flips, from })) - applied)
    await sleep(APART_MS)
  }
  return times
}

/** When the index with the suspended client appeared: each new index is read with all its shards. */
async function flipWith(
  world: World,
  name: string,
  { flips, from }: { flips: number[]; from: number },
): Promise<number> {
  let flip = 0
  let next = from
  await until(`the suspension of ${name}`, async () => {
    if (flips.length === next) return false
    next = flips.length
    flip = flips[next - 1] ?? 0
    return (await world.publishedClients().catch(() => undefined))?.clients.get(name)?.suspended === true
  })
  return flip
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > GIVE_UP_MS) throw new Error(`waited ${GIVE_UP_MS} ms in vain for ${what}`)
    await sleep(5)
  }
}

function section({ during, quiet, backlog: [first, last] }: Outcome): Section {
  const comparedWith = `${TARGET_MS / 1000} s`
  const of = (ms: number) => ({ measured: `${ms.toFixed(0)} ms`, ratio: ratioOf(ms, TARGET_MS), comparedWith })
  const rest = { target: '', met: null }
  const [p50, p95] = [percentile(during, 50), percentile(during, 95)]
  return {
    title: 'A suspension while statuses are written',
    how:
      `${CLIENTS} clients on a real kube-apiserver, with etcd on the same machine; the operator has just begun to write the status of ` +
      `every client. ${SUSPENSIONS} suspensions, one after another, each timed from the server's answer to the index that contains the ` +
      `suspension. ${first} statuses were unwritten at the first suspension, ${last} after the last. The five-minute load average of ` +
      `the machine was ${loadavg()[1]?.toFixed(0)} on ${cpus().length} cores.`,
    figures: [
      { what: 'the median', ...of(p50), ...rest },
      { what: 'p95', ...of(p95), target: `at most 1 (${comparedWith})`, met: p95 < TARGET_MS },
      { what: 'p95 when no status is to be written', ...of(percentile(quiet, 95)), ...rest },
    ],
  }
}
