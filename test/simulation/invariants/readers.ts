import type { Held } from '../../../api/load/held.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { Violation } from './violation.ts'

/** What one run of a reader has held so far, and what must hold of it at each change. */
export class ReaderRecord {
  readonly name: string
  readonly digests = new Map<string, Set<string>>()
  readonly bindings = new Map<string, Set<string>>()
  /** Ids of the signing keys that it holds now. */
  kids: ReadonlySet<string> = new Set()
  /** The revision of the storage when it became ready. */
  readyAt: number | undefined
  #last: Held | undefined
  readonly #isWithdrawn: (name: string) => boolean

  constructor(name: string, isWithdrawn: (name: string) => boolean) {
    this.name = name
    this.#isWithdrawn = isWithdrawn
  }

  take(held: Held): void {
    const last = this.#last
    this.#last = held
    if (held.rates !== last?.rates) this.#takeRates(held, last)
    if (held.clients !== last?.clients) this.#takeClients(held, last)
    this.kids = new Set(held.keys?.verifiers.keys())
    if (last?.keys?.signer && !held.keys?.signer)
      throw new Violation('keys', `${this.name} had a key that signs, and has none`)
  }

  #takeRates({ rates }: Held, last: Held | undefined): void {
    if (!rates) throw new Violation('readers', `${this.name} lost its rates`)
    if (last?.rates && rates.sequence < last.rates.sequence)
      throw new Violation('readers', `${this.name} went back from ${last.rates.sequence} to ${rates.sequence}`)
    const { digests } = rates.snapshot
    for (const name of Object.keys(last?.rates?.snapshot.digests ?? {}))
      if (digests[name] === undefined && !this.#isWithdrawn(name))
        throw new Violation('vanished', `${this.name} served ${name}, which is not withdrawn, and serves it no longer`)
    for (const [name, digest] of Object.entries(digests)) added(this.digests, name, digest)
  }

  #takeClients({ clients }: Held, last: Held | undefined): void {
    if (!clients) throw new Violation('readers', `${this.name} lost its clients`)
    if (last?.clients && clients.sequence < last.clients.sequence)
      throw new Violation('readers', `${this.name} went back to clients ${clients.sequence}`)
    for (const [name, binding] of clients.byId) added(this.bindings, name, rightsOf(binding))
  }
}

/** What a client's object says itself of what it may do. */
export function rightsOf({
  displayName,
  showroomCodes,
  grants,
  suspended,
}: Omit<ClientBinding, 'secrets' | 'jwks' | 'subjects' | 'clientId' | 'uid'>): string {
  return JSON.stringify([displayName, [...showroomCodes].sort(), [...grants].sort(), suspended])
}

function added(sets: Map<string, Set<string>>, name: string, value: string): void {
  sets.set(name, (sets.get(name) ?? new Set()).add(value))
}
