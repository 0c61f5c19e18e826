import { BACKUP_RECORD } from '#rates/published/format.ts'
import type { Kube } from '#runtime/kube/kube.ts'

/** The scope of a complete backup, and its time, ISO. */
export interface TakenBackup {
  takenAt: string
  hasNats: boolean
}

/**
 * Records the time of a backup in the namespace of the release, where the operator shows it as a metric; without the
 * record, a backup that has stopped looks like one that runs elsewhere. Throws KubeApiError.
 */
export async function recordBackup(kube: Kube, namespace: string, { takenAt, hasNats }: TakenBackup): Promise<void> {
  const parts = ['cluster', ...(hasNats ? ['nats'] : [])]
  for (const part of parts) {
    const metadata = { name: BACKUP_RECORD, namespace }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [part]: takenAt } }
    // A field manager for each part, so that a backup without NATS keeps the time of the last one with NATS.
    await kube.apply(object, { fieldManager: `driveaway-backup-${part}`, force: true })
  }
}
