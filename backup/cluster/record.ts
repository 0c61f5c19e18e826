import { BACKUP_RECORD } from '#rates/published/format.ts'
import type { Kube } from '#runtime/kube/kube.ts'

/** What a backup that is complete covers, and when it was taken, ISO. */
export interface TakenBackup {
  takenAt: string
  hasNats: boolean
}

/**
 * Leaves the time of a backup in the namespace of the release, where the operator shows it as a metric: nobody else can
 * tell a backup that has stopped from one that runs elsewhere. Throws KubeApiError.
 */
export async function recordBackup(kube: Kube, namespace: string, { takenAt, hasNats }: TakenBackup): Promise<void> {
  const parts = ['cluster', ...(hasNats ? ['nats'] : [])]
  for (const part of parts) {
    const metadata = { name: BACKUP_RECORD, namespace }
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [part]: takenAt } }
    // A manager for each part: a backup without NATS leaves the time of the last one with it.
    await kube.apply(object, { fieldManager: `driveaway-backup-${part}`, force: true })
  }
}
