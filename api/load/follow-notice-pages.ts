import type { V1ConfigMap } from '@kubernetes/client-node'
import { isNoticePageName, NOTICE_PAGE_LABEL, readNoticePage, type NoticePage } from '#rates/published/notice-page.ts'
import { startWatch, type WatchOptions } from '#runtime/kube/watch.ts'

/** The whole texts of notices, as the operator keeps them. */
export interface NoticePages {
  /** Undefined when no page has this name; `unknown` before the cluster was read. */
  find(name: string): NoticePage | undefined | 'unknown'
  stop(): Promise<void>
}

export type NoticePagesOptions = Pick<WatchOptions<V1ConfigMap>, 'kube' | 'log' | 'registry'> & { namespace: string }

/** Number of unpacked pages that are kept. */
const UNPACKED = 16

/**
 * Follows the pages in a cluster. A request for a page costs the Kubernetes API server nothing, whatever name is tried.
 */
export function followNoticePages(options: NoticePagesOptions): NoticePages {
  const { kube, namespace, log, registry } = options
  const unpacked = new Map<string, NoticePage>()
  let isKnown = false
  const watch = startWatch<V1ConfigMap>({
    kube,
    log,
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`,
    labelSelector: NOTICE_PAGE_LABEL,
    ...(registry && { registry }),
    // A part changed or was deleted: the unpacked pages may be out of date.
    onChange: () => unpacked.clear(),
    onSynced: () => void (isKnown = true),
  })
  const partsOf = (name: string) =>
    [...watch.objects.values()].filter(({ metadata }) => metadata?.labels?.[NOTICE_PAGE_LABEL] === name)
  return {
    find: (name) => {
      if (!isNoticePageName(name)) return undefined
      const page = unpacked.get(name) ?? readNoticePage(name, partsOf(name))
      if (!page) return isKnown ? undefined : 'unknown'
      if (unpacked.size >= UNPACKED) unpacked.delete(unpacked.keys().next().value!)
      unpacked.set(name, page)
      return page
    },
    stop: () => watch.stop(),
  }
}
