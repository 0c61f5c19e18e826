import type { V1ConfigMap } from '@kubernetes/client-node'
import { KEPT_RELEASE_LABEL, packedIn, readKept, type KeptRelease } from '#rates/release/kept-release.ts'
import { startWatch, type WatchOptions } from '#runtime/kube/watch.ts'

/** The releases that can be asked for besides the one in use. */
export interface KeptReleases {
  /** In no order; undefined before the cluster was read. */
  list(): readonly KeptRelease[] | undefined
  /** The packed bytes; undefined where they have gone. Throws where the cluster does not answer. */
  read(kept: KeptRelease): Promise<Uint8Array | undefined>
  stop(): Promise<void>
}

export type KeptReleasesOptions = Pick<WatchOptions<V1ConfigMap>, 'kube' | 'log' | 'registry'> & { namespace: string }

/** Milliseconds that the cluster may take for one release. */
const READ_MS = 10_000

/** Where nothing is kept. */
export const NO_KEPT_RELEASES: KeptReleases = {
  list: () => [],
  read: async () => undefined,
  stop: async () => undefined,
}

/** Follows the names of what a cluster keeps; the content of a release is read when somebody asks for that release. */
export function followKeptReleases(options: KeptReleasesOptions): KeptReleases {
  const { kube, namespace, log, registry } = options
  const kept = new Map<string, KeptRelease>()
  let isKnown = false
  const watch = startWatch<V1ConfigMap>({
    kube,
    log,
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`,
    labelSelector: KEPT_RELEASE_LABEL,
    metadataOnly: true,
    ...(registry && { registry }),
    onChange: (key, object) => {
      const found = object && readKept(object as Parameters<typeof readKept>[0])
      if (found) kept.set(key, found)
      else kept.delete(key)
    },
    onSynced: () => void (isKnown = true),
  })
  return {
    list: () => (isKnown ? [...kept.values()] : undefined),
    read: async ({ name }) => {
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } }
      const packed = packedIn(await kube.get<V1ConfigMap>(reference, { timeoutMs: READ_MS }))
      return packed === undefined ? undefined : Buffer.from(packed, 'base64')
    },
    stop: () => watch.stop(),
  }
}
