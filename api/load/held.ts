import type { ClientBinding } from '#rates/published/format.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { subjectKey } from '#rates/published/subject-key.ts'
import type { KeyRing } from '../auth/key-ring.ts'

export interface HeldRates {
  snapshot: Snapshot
  sequence: number
  /** ISO time at which this version replaced the previous one. */
  loadedAt: string
  /** Why some pricing codes are unavailable; absent when the whole release is loaded. */
  fault?: Error
}

export interface HeldClients {
  byId: ReadonlyMap<string, ClientBinding>
  /** By `subjectKey`; a subject that several clients claim belongs to none of them. */
  bySubject: ReadonlyMap<string, ClientBinding>
  digest: string
  sequence: number
}

/** Clients indexed by their subjects too. */
export function holdClients(clients: Omit<HeldClients, 'bySubject'>): HeldClients {
  const filing = fileSubjects(clients.byId)
  let step = filing.next()
  while (!step.done) step = filing.next()
  return Object.freeze({ ...clients, bySubject: step.value })
}

/** Does the same for many clients, and calls `giveWay` between them. */
export async function holdManyClients(
  clients: Omit<HeldClients, 'bySubject'>,
  giveWay: () => Promise<void>,
): Promise<HeldClients> {
  const filing = fileSubjects(clients.byId)
  let step = filing.next()
  for (; !step.done; step = filing.next()) await giveWay()
  return Object.freeze({ ...clients, bySubject: step.value })
}

const FILED_AT_ONCE = 500

function* fileSubjects(byId: HeldClients['byId']): Generator<undefined, Map<string, ClientBinding>> {
  const bySubject = new Map<string, ClientBinding | undefined>()
  let count = 0
  for (const client of byId.values()) {
    for (const key of new Set(client.subjects.map(subjectKey)))
      bySubject.set(key, bySubject.has(key) ? undefined : client)
    if (++count % FILED_AT_ONCE === 0) yield undefined
  }
  for (const [key, client] of bySubject) if (!client) bySubject.delete(key)
  return bySubject as Map<string, ClientBinding>
}

/** Everything that requests are answered with. A request reads it once and uses that version to its end. */
export interface Held {
  readonly rates: HeldRates | undefined
  readonly clients: HeldClients | undefined
  readonly keys: KeyRing | undefined
}

/** The parts that are loaded separately and can fail separately. */
export type Part = 'rates' | 'clients' | 'keys'

/** The parts that a pricing process loads; a process that does not price needs no rates. */
export const ALL_PARTS: readonly Part[] = ['rates', 'clients', 'keys']
export const CALLER_PARTS: readonly Part[] = ['clients', 'keys']

export interface Holder {
  /** The current frozen value. */
  read(): Held
  /** Resolves with a part as soon as it is loaded for the first time. */
  whenLoaded<P extends Part>(part: P): Promise<NonNullable<Held[P]>>
  swap(change: Partial<Held>): void
  /** Records why the newest version could not be loaded; the loaded version stays. */
  fail(part: Part, error: unknown): void
  /** Message of the last failure of each part that has not loaded since. */
  faults(): Readonly<Partial<Record<Part, string>>>
}

/** Holds one frozen value and replaces it as a whole: a reader sees a change completely or not at all. */
export function createHolder(onFail: (part: Part, error: unknown) => void = () => undefined): Holder {
  let held: Held = Object.freeze({ rates: undefined, clients: undefined, keys: undefined })
  const faults: Partial<Record<Part, string>> = {}
  let waiting: (() => boolean)[] = []
  return {
    read: () => held,
    whenLoaded: (part) =>
      new Promise((resolve) => {
        const look = () => {
          const loaded = held[part]
          if (loaded) resolve(loaded)
          return loaded !== undefined
        }
        if (!look()) waiting.push(look)
      }),
    swap: (change) => {
      held = Object.freeze({ ...held, ...change })
      for (const part of Object.keys(change) as Part[]) delete faults[part]
      waiting = waiting.filter((look) => !look())
    },
    fail: (part, error) => {
      faults[part] = error instanceof Error ? error.message : String(error)
      onFail(part, error)
    },
    faults: () => ({ ...faults }),
  }
}
