import type { KubernetesObject } from '@kubernetes/client-node'
import type { Kube } from '#runtime/kube/kube.ts'
import type { ObjectReference } from '#runtime/kube/resource-path.ts'
import type { StreamOptions, WatchEvent } from '#runtime/kube/watch-stream.ts'
import type { ModelServer } from '../server/model-server.ts'
import { refusal } from '../server/refusal.ts'
import type { Stream } from '../server/stream.ts'
import { isGone } from '#runtime/kube/api-error.ts'
import type { CallFault, Faults } from './faults.ts'
import type { Life } from './life.ts'

/** Where the calls of one life go. */
export interface Surroundings {
  server: ModelServer
  faults: Faults
  life: Life
  /** Ends the life at once, and starts another later. */
  crash: () => void
  /** Says who writes while it is done. */
  as: <T>(who: string, write: () => T) => T
  /** Milliseconds by which each event of a collection comes late; by default none. */
  lateMs?: (collection: string) => number
}

interface Call<T> {
  what: string
  execute: () => T
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** A server that is asked too often, one that is being replaced, and one that nobody listens at. */
const REFUSALS = [
  () => refusal(429, 'too many requests'),
  () => refusal(503, 'shutting down'),
  () => broken('ECONNREFUSED'),
]
const DEFAULT_TIMEOUT_MS = 30_000
const BOOKMARK_MS = 60_000
/** How late a delayed call arrives: much happens meanwhile. */
const DELAY_MS = 1500

/** Sends one call: it arrives at some step, is answered at a later one, and either can go wrong. */
export function send<T>(
  around: Surroundings,
  { what, execute, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: Call<T>,
): Promise<T> {
  const { life, faults, crash } = around
  return new Promise<T>((resolve, reject) => {
    const cancel = life.after(timeoutMs, () => reject(timedOut(timeoutMs)))
    const abort = () => reject(signal?.reason)
    if (signal?.aborted) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    const answer = (settle: () => void) =>
      life.offer(`${what}: answer`, () => {
        cancel()
        signal?.removeEventListener('abort', abort)
        settle()
      })
    life.offer(what, () => {
      const fault = faults.ofCall(`${life.name} ${what}`)
      if (fault === 'crash before') return crash()
      if (fault === 'refused') return answer(() => reject(refusedAt(faults.calls)))
      // Nobody answers: the timeout does.
      if (fault === 'lost before') return
      const arrive = () => {
        const settle = outcomeOf(() => around.as(life.name, execute), resolve, reject)
        if (fault === 'crash after') return crash()
        if (fault === 'lost') return answer(() => reject(broken('ECONNRESET')))
        if (fault !== 'slow') answer(settle)
      }
      if (fault === 'delayed') life.after(DELAY_MS, arrive)
      else arrive()
    })
  })
}

function outcomeOf<T>(execute: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): () => void {
  try {
    const value = execute()
    return () => resolve(value)
  } catch (error) {
    return () => reject(error)
  }
}

function refusedAt(position: number): Error {
  return (REFUSALS[position % REFUSALS.length] as () => Error)()
}

function broken(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function timedOut(ms: number): Error {
  return new DOMException(`no answer within ${ms} ms`, 'TimeoutError')
}

/** The `Kube` of one life. */
export function scheduledKube(around: Surroundings): Kube {
  const { server } = around
  const call = <T>(what: string, execute: () => T, options: Pick<Call<T>, 'timeoutMs' | 'signal'> = {}) =>
    send(around, { what, execute, ...options })
  return {
    get: (reference, options) => call(`get ${nameOf(reference)}`, () => server.get(reference), options),
    create: (object, options) =>
      call(`create ${nameOf(object as ObjectReference)}`, () => server.create(object, options), options),
    replace: (object, options) => call(`replace ${nameOf(object)}`, () => server.replace(object, options), options),
    apply: (object, options) => call(`apply ${nameOf(object as ObjectReference)}`, () => server.apply(object, options)),
    patchMetadata: (reference, metadata, options) =>
      call(`patch ${nameOf(reference)}`, () => server.patchMetadata(reference, metadata, options), options),
    replaceStatus: (object) => call(`status ${nameOf(object)}`, () => server.replaceStatus(object)),
    delete: (reference, conditions) => call(`delete ${nameOf(reference)}`, () => server.delete(reference, conditions)),
    page: (options) => call(`list ${collectionIn(options.path)}`, () => server.page(options), options),
    watch: (options) => events(around, options),
  }
}

async function* events<T extends KubernetesObject>(
  around: Surroundings,
  options: StreamOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { server, life } = around
  const { signal, timeoutSeconds, onOpen } = options
  const what = `watch ${collectionIn(options.path)}`
  const stream = await send(around, { what, execute: () => opened(server, options), signal })
  onOpen()
  if (!stream) throw refusal(410, 'too old resource version')
  const lateMs = around.lateMs?.(collectionIn(options.path)) ?? 0
  const listening = new Listening(around, { stream, what, signal, lateMs })
  const cancel = life.after(timeoutSeconds * 1000, () => listening.finish())
  try {
    for (let event = await listening.next(); event; event = await listening.next()) yield event as WatchEvent<T>
  } finally {
    cancel()
    listening.close()
  }
}

/** That a version is too old is said in the stream. */
function opened(server: ModelServer, options: StreamOptions): Stream | undefined {
  try {
    return server.watch(options, options.resourceVersion)
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

interface Opened {
  stream: Stream
  what: string
  signal: AbortSignal
  lateMs: number
}

/** The client's end of a stream: one event at a time, each at some step, until it ends, breaks or falls silent. */
class Listening {
  readonly #around: Surroundings
  readonly #stream: Stream
  readonly #what: string
  readonly #signal: AbortSignal
  readonly #lateMs: number
  #waiting: PromiseWithResolvers<WatchEvent<KubernetesObject> | undefined> | undefined
  #isSilent = false
  #isOver = false
  #isOffered = false
  #stopBookmarks = () => {}
  readonly #fallSilent = () => void (this.#isSilent = true)
  readonly #disconnect = () => this.#stream.close()
  readonly #abort = () => this.#waiting?.reject(this.#signal.reason)

  constructor(around: Surroundings, { stream, what, signal, lateMs }: Opened) {
    this.#around = around
    this.#stream = stream
    this.#what = what
    this.#signal = signal
    this.#lateMs = lateMs
    stream.onEvent = () => this.#offer()
    signal.addEventListener('abort', this.#abort)
    around.life.connections.add(this.#disconnect)
    around.life.streams.add(this.#fallSilent)
    this.#bookmarkLater()
  }

  next(): Promise<WatchEvent<KubernetesObject> | undefined> {
    this.#waiting = Promise.withResolvers()
    if (this.#signal.aborted) this.#abort()
    this.#offer()
    return this.#waiting.promise
  }

  /** In good order, after what waits. */
  finish(): void {
    this.#isOver = true
    this.#offer()
  }

  close(): void {
    this.#stopBookmarks()
    this.#signal.removeEventListener('abort', this.#abort)
    this.#around.life.connections.delete(this.#disconnect)
    this.#around.life.streams.delete(this.#fallSilent)
    this.#stream.close()
  }

  #bookmarkLater(): void {
    this.#stopBookmarks = this.#around.life.after(BOOKMARK_MS, () => {
      this.#stream.bookmark()
      this.#bookmarkLater()
    })
  }

  #offer(): void {
    if (this.#isSilent || this.#isOffered || !this.#waiting || !(this.#stream.isWaiting || this.#isOver)) return
    this.#isOffered = true
    const offer = () =>
      this.#around.life.offer(`${this.#what}: event`, () => {
        this.#isOffered = false
        this.#deliver()
      })
    if (this.#lateMs > 0) this.#around.life.after(this.#lateMs, offer)
    else offer()
  }

  #deliver(): void {
    const { faults, server, crash, life } = this.#around
    if (this.#isSilent) return
    const fault = faults.ofEvent(`${life.name} ${this.#what}`)
    if (fault === 'crash') return crash()
    if (fault === 'half-open') return void (this.#isSilent = true)
    if (fault === 'compacted') server.storage.compact()
    if (fault === 'dropped' || fault === 'compacted') return this.#waiting?.reject(broken('ECONNRESET'))
    this.#waiting?.resolve(this.#stream.take())
  }
}

function nameOf({
  kind,
  metadata,
}: Pick<ObjectReference, 'kind'> & { metadata: { name?: string; generateName?: string } }): string {
  return `${kind} ${metadata.name ?? `${metadata.generateName}*`}`
}

function collectionIn(path: string): string {
  return path.split('/').at(-1) ?? path
}

export type { CallFault }
