import type { KubernetesObject } from '@kubernetes/client-node'
import type { Collection } from '#runtime/kube/resource-path.ts'
import type { WatchEvent } from '#runtime/kube/watch-stream.ts'
import { kindAt } from './kinds.ts'
import { answerOf, type StoredObject } from './object.ts'
import { refusal } from './refusal.ts'
import { selectorOf, type Selects } from './selector.ts'
import type { Storage, Write } from './storage.ts'

/** The server's end of one watch: events wait here in order until somebody takes them. */
export class Stream {
  readonly #waiting: WatchEvent<KubernetesObject>[] = []
  readonly #selects: Selects
  readonly #path: string
  readonly #storage: Storage
  readonly #listener = (write: Write) => this.#hear(write)
  /** Called when something has come to wait. */
  onEvent: () => void = () => undefined

  /** Throws 410 where the version is too old to go on from. */
  constructor(storage: Storage, collection: Collection, resourceVersion: string) {
    this.#storage = storage
    this.#path = collection.path
    this.#selects = selectorOf(collection)
    const missed = storage.since(collection.path, Number(resourceVersion))
    if (!missed) throw refusal(410, `too old resource version: ${resourceVersion} (${storage.compacted})`)
    for (const write of missed) this.#hear(write)
    storage.listeners.push(this.#listener)
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  take(): WatchEvent<KubernetesObject> | undefined {
    return this.#waiting.shift()
  }

  /** Says how far the stream has come, as the server does once a minute. */
  bookmark(): void {
    const { apiVersion, kind } = kindAt(this.#path)
    const metadata = { resourceVersion: String(this.#storage.revision) }
    this.#push({ type: 'BOOKMARK', object: { apiVersion, kind, metadata } })
  }

  close(): void {
    const at = this.#storage.listeners.indexOf(this.#listener)
    if (at >= 0) this.#storage.listeners.splice(at, 1)
  }

  #hear({ path, type, object, previous }: Write): void {
    if (path !== this.#path) return
    const is = type !== 'DELETED' && this.#selects(object)
    const was = previous !== undefined && this.#selects(previous)
    if (is) this.#push({ type: was ? 'MODIFIED' : 'ADDED', object: answerOf(object) })
    // What leaves the selection is told as deleted, at the version that took it out, as it was before.
    else if (was) this.#push({ type: 'DELETED', object: answerOf(leaving(previous, object)) })
  }

  #push(event: WatchEvent<KubernetesObject>): void {
    this.#waiting.push(event)
    this.onEvent()
  }
}

function leaving(previous: StoredObject, { metadata }: StoredObject): StoredObject {
  return { ...previous, metadata: { ...previous.metadata, resourceVersion: metadata.resourceVersion } }
}
