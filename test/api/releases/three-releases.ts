import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { createLog } from '#runtime/log.ts'
import { startKubernetesSource } from '../../../api/load/kubernetes-source.ts'
import { followKeptReleases, type KeptReleases } from '../../../api/releases/kept-releases.ts'
import { releaseKeeper } from '../../../operator/publish/keep-release.ts'
import { startControlPlane, type ControlPlane } from '../../harness/control-plane.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { inventedSet } from '../../operator/invented-set.ts'
import { applySurroundings } from '../../operator/manifests.ts'
import { PublishedPlace } from '../../operator/publish/published-place.ts'
import { bearer, startPricingServer, type PricingServer } from '../pricing-server.ts'

export const namespace = 'driveaway'
export const log = createLog({ name: 'test', level: 'silent' })
export const PUBLISHED = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'] as const
/** What each release charges in New South Wales from 1 July 2026, in dollars. */
export const FEES = ['10.00', '20.00', '30.00'] as const

export interface ThreeReleases {
  plane: ControlPlane
  place: PublishedPlace
  kept: KeptReleases
  server: PricingServer
  headers: Record<string, string>
  releases: string[]
  stop(): Promise<void>
}

/**
 * Three releases that the operator publishes and keeps on a real kube-apiserver; the pricing API reads with its own rights
 * and answers on a socket. `reads` receives the names of the ConfigMaps that the API gets.
 */
export async function startThreeReleases(reads: string[] = []): Promise<ThreeReleases> {
  const plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  const place = new PublishedPlace(kubeOf(plane.kubeConfig), () => plane.stop())
  const rules = { days: 400, megabytes: 128, now: () => place.now() }
  place.around = { keep: releaseKeeper({ kube: kubeOf(plane.kubeConfigFor('driveaway-operator')), namespace }, rules) }
  place.restart()
  const api = counting(kubeOf(plane.kubeConfigFor('driveaway-api')), reads)
  const kept = followKeptReleases({ kube: api, namespace, log })
  const server = await startPricingServer(undefined, undefined, { log, keptReleases: kept, keepDays: 400 })
  const source = await startKubernetesSource({ kube: api, namespace, holder: server.holder, log, parts: ['rates'] })
  const releases = await publishAll(place)
  await waitFor('the last release', () => server.holder.read().rates?.snapshot.release === releases[2])
  await waitFor('what is kept', () => kept.list()?.filter(({ inForce }) => inForce[0]?.until).length === 2)
  const stop = async () => {
    await server.close()
    await Promise.all([source.stop(), kept.stop()])
    await place.stop()
  }
  return { plane, place, kept, server, headers: bearer(await server.token()), releases, stop }
}

async function publishAll(place: PublishedPlace): Promise<string[]> {
  const releases: string[] = []
  for (const [at, fee] of FEES.entries()) {
    place.now = () => new Date(PUBLISHED[at]!)
    const { index } = await place.publish(inventedSet('AU'), inventedSet('AU_NSW', { fee }))
    releases.push(index.release)
  }
  return releases
}

export function counting(kube: Kube, reads: string[]): Kube {
  return {
    ...kube,
    get: (reference, options) => {
      reads.push(reference.metadata.name)
      return kube.get(reference, options)
    },
  }
}
