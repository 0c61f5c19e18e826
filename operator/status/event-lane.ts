import type { KubernetesObject } from '@kubernetes/client-node'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import type { Logger } from '#runtime/log.ts'
import { eventOf, type Announce, type Regarding } from './events.ts'

export interface EventLaneOptions {
  kube: Kube
  log: Logger
  clock: Clock
}

export interface EventLane {
  announce: Announce
  /** Gives what waits a short time. For the end of the process. */
  end(): Promise<void>
}

/** An event that waits. */
interface Entry {
  regarding: Regarding
  event: ReturnType<typeof eventOf>
  ended: () => void
}

/** Of different objects: the events of one object are written one after another. */
const AT_ONCE = 12
/** Beyond this, further events are given up: each takes memory. */
const WAITING_LIMIT = 2000
/** For each request, in milliseconds. */
const TIMEOUT_MS = 5000
const END_MS = 2000
const LOOK_MS = 20

/** Writes events beside all other work: a server that takes none, or takes seconds for each, holds nothing up. */
export function eventLane(options: EventLaneOptions): EventLane {
  const lane = new Lane(options)
  return { announce: (...about) => lane.announce(...about), end: () => lane.end() }
}

class Lane {
  readonly #kube: Kube
  readonly #log: Logger
  readonly #clock: Clock
  /** By object, what waits or is under way. */
  readonly #lines = new Map<string, Entry[]>()
  /** Objects of which something waits and nothing is under way. */
  readonly #ready = new Set<string>()
  #underWay = 0
  #waiting = 0
  #isFull = false

  constructor({ kube, log, clock }: EventLaneOptions) {
    this.#kube = kube
    this.#log = log
    this.#clock = clock
  }

  announce: Announce = async (regarding, transitions) => {
    const now = this.#clock.now()
    const all = transitions.map((transition) => this.#add(regarding, eventOf(regarding, transition, now)))
    await Promise.all(all)
  }

  async end(): Promise<void> {
    const startedAt = this.#clock.elapsed()
    // Who was told that one event is written may announce the next.
    await this.#clock.turn()
    while (this.#underWay > 0 && this.#clock.elapsed() - startedAt < END_MS) await this.#clock.sleep(LOOK_MS)
    const events = this.#underWay + this.#waiting
    if (events > 0) this.#log.warn({ events }, 'events are given up: the operator ends')
  }

  #add(regarding: Regarding, event: Entry['event']): Promise<void> {
    if (this.#waiting >= WAITING_LIMIT) return this.#giveUp()
    const { promise, resolve } = Promise.withResolvers<void>()
    const key = `${regarding.kind}/${regarding.metadata.namespace}/${regarding.metadata.name}`
    const line = this.#lines.get(key)
    const { apiVersion, kind, metadata } = regarding
    // Not the whole object: a rate set may have a megabyte, and many may wait.
    const entry = { regarding: { apiVersion, kind, metadata }, event, ended: resolve }
    this.#waiting += 1
    if (line) line.push(entry)
    else {
      this.#lines.set(key, [entry])
      this.#ready.add(key)
    }
    this.#goOn()
    return promise
  }

  /** Warns once, until there is room for all that waits. */
  #giveUp(): Promise<void> {
    if (!this.#isFull) this.#log.warn({ waiting: this.#waiting }, 'too many events wait: further ones are given up')
    this.#isFull = true
    return Promise.resolve()
  }

  #goOn(): void {
    for (const key of this.#ready) {
      if (this.#underWay >= AT_ONCE) return
      this.#ready.delete(key)
      const line = this.#lines.get(key) ?? []
      const entry = line.shift()
      if (entry) void this.#take(key, line, entry)
    }
  }

  async #take(key: string, line: readonly Entry[], entry: Entry): Promise<void> {
    this.#underWay += 1
    this.#waiting -= 1
    await this.#write(entry).catch((error: unknown) => {
      this.#log.warn({ err: error, object: entry.regarding.metadata.name }, 'could not write an event')
    })
    this.#underWay -= 1
    if (line.length > 0) this.#ready.add(key)
    else this.#lines.delete(key)
    if (this.#waiting === 0) this.#isFull = false
    entry.ended()
    this.#goOn()
  }

  async #write({ regarding, event }: Entry): Promise<void> {
    const options = { timeoutMs: TIMEOUT_MS }
    // An event that names its object without a uid says more than none.
    const read = async () => (await this.#kube.get<KubernetesObject>(regarding, options))?.metadata?.uid
    const uid = regarding.metadata.uid ?? (await read().catch(() => undefined))
    const written = { ...event, regarding: { ...event.regarding, uid: uid ?? '' } }
    await this.#kube.create(written, options)
  }
}
