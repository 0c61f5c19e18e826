import type { Held } from '../../../api/load/held.ts'
import type { ClientBinding } from '#rates/published/format.ts'
import { Violation } from './violation.ts'

/** What is known of the whole cluster. */
interface Known {
  isWithdrawn: (name: string) => boolean
  storage: { readonly revision: number }
  /** What each set was checked with, by its digest. */
  pins: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** What one run of a reader has held so far, and what must hold of it at each change. */
export class ReaderRecord {
  readonly name: string
  readonly digests = new Map<string, Set<string>>()
  /** What each client was allowed, by its name, and up to which revision of the storage; Infinity is now. */
  readonly bindings = new Map<string, Map<string, number>>()
  /** Ids of the signing keys that it holds now. */
  kids: ReadonlySet<string> = new Set()
  /** The revision of the storage when it became ready. */
  readyAt: number | undefined
  #last: Held | undefined
  readonly #known: Known

  constructor(name: string, known: Known) {
    this.name = name
    this.#known = known
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
      if (digests[name] === undefined && !this.#known.isWithdrawn(name))
        throw new Violation('vanished', `${this.name} served ${name}, which is not withdrawn, and serves it no longer`)
    for (const [name, digest] of Object.entries(digests)) added(this.digests, name, digest)
    this.#checkPins(digests)
  }

  #checkPins(digests: Readonly<Record<string, string>>): void {
    for (const [name, digest] of Object.entries(digests))
      for (const [imported, pinned] of Object.entries(this.#known.pins.get(digest) ?? {}))
        if (digests[imported] !== undefined && digests[imported] !== pinned)
          throw new Violation(
            'imports',
            `${this.name} serves ${name} with another ${imported} than it was checked with`,
          )
  }

  #takeClients({ clients }: Held, last: Held | undefined): void {
    if (!clients) throw new Violation('readers', `${this.name} lost its clients`)
    if (last?.clients && clients.sequence < last.clients.sequence)
      throw new Violation('readers', `${this.name} went back to clients ${clients.sequence}`)
    for (const rights of this.bindings.values())
      for (const [each, until] of rights) if (until === Infinity) rights.set(each, this.#known.storage.revision)
    for (const [name, binding] of clients.byId) {
      const rights = this.bindings.get(name) ?? new Map<string, number>()
      this.bindings.set(name, rights.set(rightsOf(binding), Infinity))
    }
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
