import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Kube } from './kube.ts'
import type { Collection } from './resource-path.ts'

export interface WatchOptions<T> extends Collection {
  kube: Kube
  log: Logger
  /** Called for each change in order; `object` is absent when it was deleted. Errors that it throws are logged. */
  onChange: (key: string, object: T | undefined) => void
  /** Called once, after the first complete list. */
  onSynced?: () => void
  /** Most milliseconds between complete lists, which look for changes that the stream missed. Default 600,000. */
  relistMs?: number
  /**
   * Milliseconds of silence after which the watch probes the server. Default 75,000, because bookmarks arrive every
   * minute.
   */
  silentMs?: number
  /** Milliseconds that an event may arrive after the answer to a probe. Default 2,000. */
  graceMs?: number
  /** Number of objects in one page of a list. Default 500. */
  pageSize?: number
  registry?: Registry
  clock?: Clock
  random?: () => number
}
