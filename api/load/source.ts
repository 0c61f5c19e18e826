import type { Registry } from 'prom-client'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import type { NoticePages } from './follow-notice-pages.ts'
import type { KeptReleases } from '../releases/kept-releases.ts'
import type { Holder, Part } from './held.ts'

export interface KubernetesSourceOptions {
  kube: Kube
  namespace: string
  holder: Holder
  log: Logger
  registry?: Registry
  /** Default: all. */
  parts?: readonly Part[]
  /** Whether this process signs tokens; a process that only verifies them reads no Secret. Default: true. */
  signs?: boolean
  /** Milliseconds of silence after which the server is asked for changes; the default is that of the watch. */
  silentMs?: number
  clock?: Clock
  random?: () => number
}

/** A source that reads from a cluster. */
export interface ClusterSource extends Source {
  lastContact(): Date | undefined
}

/** Keeps the holder up to date until it is stopped. */
export interface Source {
  /**
   * When the Kubernetes API server last answered, for the watched object with the oldest answer; undefined before it
   * answered for each. Absent when nothing comes from a cluster.
   */
  lastContact?(): Date | undefined
  /** The full texts of notices; absent when nothing comes from a cluster. */
  noticePages?: Pick<NoticePages, 'find'>
  /** The releases that are kept; absent when nothing comes from a cluster. */
  keptReleases?: KeptReleases
  stop(): Promise<void>
}
