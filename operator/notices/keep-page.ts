import type { V1ConfigMap } from '@kubernetes/client-node'
import { NOTICE_PAGE_LABEL, storedNoticePage, type NoticePage } from '#rates/published/notice-page.ts'
import { isConflict, KubeApiError } from '#runtime/kube/api-error.ts'
import { listAll } from '#runtime/kube/list.ts'
import type { Logger } from '#runtime/log.ts'
import { createConfigMap } from '../cluster/config-map.ts'
import type { Cluster } from '../cluster/cluster.ts'

/** The most bytes of all kept pages; compressed, the pages of years fit. */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Stores the page of an announcement, removing the oldest pages when there is no room, and returns its name. Undefined
 * when the server refuses the page, because a notice without a link is better than none. Throws when the server fails.
 */
export async function keepPage(cluster: Cluster, page: NoticePage, log: Logger): Promise<string | undefined> {
  const { name, parts } = storedNoticePage(cluster.namespace, page)
  try {
    for (const part of parts) await createConfigMap(cluster, part).catch(unlessThere)
  } catch (error) {
    if (!(error instanceof KubeApiError) || error.status >= 500 || error.status === 429) throw error
    log.warn({ err: error }, 'could not store the whole text of a notice: its e-mails have no link')
    return undefined
  }
  // A page that cannot be removed now is removed with the next one.
  await makeRoom(cluster, name).catch((error) => log.warn({ err: error }, 'could not remove old notice pages'))
  return name
}

/** Pages are named by their content, so an existing page is the same page. */
function unlessThere(error: unknown): void {
  if (!isConflict(error)) throw error
}

async function makeRoom({ kube, namespace }: Cluster, newest: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const { items } = await listAll<V1ConfigMap>(kube, { path, labelSelector: NOTICE_PAGE_LABEL })
  const pages = [...Map.groupBy(items, pageIn)].toSorted(([a, one], [b, other]) =>
    a === newest || b === newest ? Number(b === newest) - Number(a === newest) : madeAt(other) - madeAt(one),
  )
  let bytes = 0
  for (const [page, parts] of pages) {
    bytes += parts.reduce((sum, part) => sum + sizeOf(part), 0)
    if (bytes <= MOST_BYTES || page === newest) continue
    for (const { metadata } of parts) {
      await kube.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: metadata?.name ?? '', namespace } })
    }
  }
}

const pageIn = ({ metadata }: V1ConfigMap): string => metadata?.labels?.[NOTICE_PAGE_LABEL] ?? ''

const madeAt = ([first]: readonly V1ConfigMap[]): number => new Date(first?.metadata?.creationTimestamp ?? 0).getTime()

const sizeOf = ({ data = {} }: V1ConfigMap): number => Object.values(data).reduce((sum, text) => sum + text.length, 0)
