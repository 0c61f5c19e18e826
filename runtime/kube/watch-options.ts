import type { Registry } from 'prom-client'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Kube } from './kube.ts'
import type { Collection } from './resource-path.ts'

export interface WatchOptions<T> extends Collection {
  kube: Kube
  log: Logger
  /** Told of each change in order; `object` is absent when it is deleted. What it throws is logged. */
  onChange: (key: string, object: T | undefined) => void
  /** Told once, after the first complete list. */
  onSynced?: () => void
  /** Milliseconds at most between complete lists that look for what the stream missed. Default 600,000. */
  relistMs?: number
  /** Milliseconds of silence after which the server is asked what is new. Default 75,000: bookmarks come each minute. */
  silentMs?: number
  /** Milliseconds that an event may take after the answer to that. Default 2,000. */
  graceMs?: number
  /** Objects in one page of a list. Default 500. */
  pageSize?: number
  registry?: Registry
  clock?: Clock
  random?: () => number
}
