import { SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import { KEYS_KEY, PUBLIC_KEYS } from '#rates/published/public-keys.ts'
import type { StoredObject } from '../server/object.ts'
import type { Write } from '../server/storage.ts'
import type { ReaderRecord } from './readers.ts'
import { Violation } from './violation.ts'

export interface KeyHolders {
  readers: () => Iterable<ReaderRecord>
  /** Milliseconds since the operator that writes learnt of a reader; less than none where it knows nothing of it. */
  knownForMs: (reader: string) => number
  /** Milliseconds since the simulation began. */
  now: () => number
}

/** A rotation that was decided before an operator learnt of a reader is written by then: calls end within this time. */
const DECIDED_MS = 30_000
/** An hour and five minutes, less what two clocks differ by. */
const VALID_MS = 2_700_000

/** A key signs when every reader can verify with it, and is kept as long as its tokens are valid. */
export class KeysInvariants {
  readonly #readers: () => Iterable<ReaderRecord>
  readonly #knownForMs: (reader: string) => number
  readonly #now: () => number
  #signs: string | undefined
  /** Every key that has signed since the Secret was made, and when it began to. */
  #signed = new Map<string, number>()
  /** Every key that was published as one that signs, and when: what it signed is verified, whatever becomes of the Secret. */
  readonly #published = new Map<string, number>()

  constructor({ readers, knownForMs, now }: KeyHolders) {
    this.#now = now
    this.#readers = readers
    this.#knownForMs = knownForMs
  }

  take({ type, object }: Write): void {
    const { name } = object.metadata
    if (name === PUBLIC_KEYS && type !== 'DELETED') this.#takePublished(object)
    if (object.kind === 'Secret' && name === SIGNING_KEYS_SECRET) this.#takeSecret(type, object)
  }

  #takeSecret(type: Write['type'], object: StoredObject): void {
    if (type === 'DELETED') {
      this.#signs = undefined
      this.#signed = new Map()
      return
    }
    const keys = keysIn(object['data'] as Record<string, string> | undefined)
    const kids = new Set(keys.map(kidOf))
    for (const kid of this.#valid(this.#signed))
      if (!kids.has(kid)) throw new Violation('keys', 'a key that has signed was thrown away')
    const current = keys.find(({ state }) => state === 'current')
    if (!current || kidOf(current) === this.#signs) return
    this.#signs = kidOf(current)
    this.#signed.set(this.#signs, this.#now())
    for (const { name, readyAt, kids } of this.#readers())
      if (readyAt !== undefined && this.#knownForMs(name) > DECIDED_MS && !kids.has(this.#signs))
        throw new Violation('keys', `a key signs that ${name} does not hold`)
  }

  /** Ids of the keys that were published and whose tokens may still be valid. */
  signedLately(): string[] {
    return this.#valid(this.#published)
  }

  #valid(keys: ReadonlyMap<string, number>): string[] {
    return [...keys].flatMap(([kid, at]) => (this.#now() - at < VALID_MS ? [kid] : []))
  }

  #takePublished(object: StoredObject): void {
    const text = ((object['data'] ?? {}) as Record<string, string>)[KEYS_KEY]
    const keys = text === undefined ? [] : (JSON.parse(text) as SigningKeys).keys
    for (const key of keys) if (key.state === 'current') this.#published.set(kidOf(key), this.#now())
  }
}

function keysIn(data: Record<string, string> | undefined): SigningKeys['keys'] {
  const text = Buffer.from(data?.['keys.json'] ?? '', 'base64').toString()
  return text === '' ? [] : (JSON.parse(text) as SigningKeys).keys
}

const kidOf = ({ jwk }: SigningKeys['keys'][number]) => String(jwk['kid'])
