import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeConfig, KubernetesObject } from '@kubernetes/client-node'
import { collectionVersion } from '#runtime/kube/collection-version.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { listAll } from '#runtime/kube/list.ts'
import type { Conditioned, RunningOperator } from '../test/operator/world.ts'

const API = '/apis/rates.driveaway.dev/v1alpha1/namespaces/driveaway'
const GIVE_UP_SECONDS = 600
/** More than any server here; what is left takes at least as long. */
const MOST_WRITES_PER_SECOND = 2_000

export interface Awaited {
  kubeConfig: KubeConfig
  /** The least number of writes, and the number that the server had counted before the start. */
  writes: { least: number; before: number }
  /** The number of rate sets and clients. */
  objects: number
  /** Time of the start, as `performance.now()` gives it. */
  start: number
}

/** Seconds since the start, once everything is published and each object has its status. */
export async function untilReconciled(operator: RunningOperator, awaited: Awaited): Promise<number> {
  const { kubeConfig, writes, objects, start } = awaited
  for (;;) {
    const left = writes.least - ((await writesSoFar(kubeConfig)) - writes.before)
    const isWritten = left <= 0 && (await leftFor(operator, objects)) === 0
    const seconds = (performance.now() - start) / 1000
    if (isWritten && (await areReady(kubeConfig))) return seconds
    if (seconds > GIVE_UP_SECONDS) throw new Error(`not done after ${GIVE_UP_SECONDS} s`)
    await sleep(Math.max(100, (left / MOST_WRITES_PER_SECOND) * 1000))
  }
}

/**
 * The number of writes so far, which the server counts in the version of every list. An answer of the operator's metrics takes
 * 12 ms of its time with 500 sets, so they are asked for at the end only.
 */
export async function writesSoFar(kubeConfig: KubeConfig): Promise<number> {
  return Number(await collectionVersion(kubeOf(kubeConfig), { path: `${API}/ratesets` }))
}

/** The number of objects that the operator has yet to publish, and of statuses that it has yet to write, as its metrics say. */
async function leftFor({ healthUrl }: RunningOperator, objects: number): Promise<number> {
  const text = await fetch(`${healthUrl}/metrics`)
    .then((answer) => answer.text())
    .catch(() => '')
  const sum = (name: RegExp) => [...text.matchAll(name)].reduce((total, [, value]) => total + Number(value), 0)
  const published = sum(/^driveaway_objects\{.*ready="true".*\} (\S+)$/gm)
  return objects - published + sum(/^driveaway_kube_queue_depth\{.*\} (\S+)$/gm)
}

async function areReady(kubeConfig: KubeConfig): Promise<boolean> {
  const lists = ['ratesets', 'showroomclients'].map((plural) =>
    listAll<Conditioned>(kubeOf(kubeConfig), { path: `${API}/${plural}` }),
  )
  return (await Promise.all(lists)).every(({ items }) => items.every(isReady))
}

function isReady({ status, metadata }: Conditioned & KubernetesObject): boolean {
  if (status?.observedGeneration !== metadata?.generation) return false
  return status?.conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
}
