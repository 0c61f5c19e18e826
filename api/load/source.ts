import type { Registry } from 'prom-client'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import type { NoticePages } from './follow-notice-pages.ts'
import type { Holder, Part } from './held.ts'

export interface KubernetesSourceOptions {
  kube: Kube
  namespace: string
  holder: Holder
  log: Logger
  registry?: Registry
  /** Default: all. */
  parts?: readonly Part[]
  /** Whether tokens are signed here; where they are only verified, no Secret is read. Default: true. */
  signs?: boolean
  /** Milliseconds of silence after which the server is asked what is new; default as of the watch. */
  silentMs?: number
  clock?: Clock
  random?: () => number
}

/** A source that a cluster is behind. */
export interface ClusterSource extends Source {
  lastContact(): Date | undefined
}

/** Something that keeps the holder up to date until it is stopped. */
export interface Source {
  /**
   * When the Kubernetes API server was last heard from, for that of the followed objects for which it is longest ago;
   * undefined before it answered for each. Absent where nothing comes from a cluster.
   */
  lastContact?(): Date | undefined
  /** The whole texts of notices; absent where nothing comes from a cluster. */
  noticePages?: Pick<NoticePages, 'find'>
  stop(): Promise<void>
}
