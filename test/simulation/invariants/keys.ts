import { SIGNING_KEYS_SECRET, type SigningKeys } from '#rates/published/format.ts'
import type { Write } from '../server/storage.ts'
import type { ReaderRecord } from './readers.ts'
import { Violation } from './violation.ts'

export interface KeyHolders {
  readers: () => Iterable<ReaderRecord>
  /** Milliseconds since the operator that writes learnt of a reader; less than none where it knows nothing of it. */
  knownForMs: (reader: string) => number
}

/** A rotation that was decided before an operator learnt of a reader is written by then: calls end within this time. */
const DECIDED_MS = 30_000

/** A key signs when every reader can verify with it, and is kept as long as its tokens are valid. */
export class KeysInvariants {
  readonly #readers: () => Iterable<ReaderRecord>
  readonly #knownForMs: (reader: string) => number
  #signs: string | undefined
  /** Every key that has signed since the Secret was made. */
  #signed = new Set<string>()

  constructor({ readers, knownForMs }: KeyHolders) {
    this.#readers = readers
    this.#knownForMs = knownForMs
  }

  take({ type, object }: Write): void {
    if (object.kind !== 'Secret' || object.metadata.name !== SIGNING_KEYS_SECRET) return
    if (type === 'DELETED') {
      this.#signs = undefined
      this.#signed = new Set()
      return
    }
    const keys = keysIn(object['data'] as Record<string, string> | undefined)
    const kids = new Set(keys.map(kidOf))
    // No simulation lasts as long as a token.
    for (const kid of this.#signed)
      if (!kids.has(kid)) throw new Violation('keys', 'a key that has signed was thrown away')
    const current = keys.find(({ state }) => state === 'current')
    if (!current || kidOf(current) === this.#signs) return
    this.#signs = kidOf(current)
    this.#signed.add(this.#signs)
    for (const { name, readyAt, kids } of this.#readers())
      if (readyAt !== undefined && this.#knownForMs(name) > DECIDED_MS && !kids.has(this.#signs))
        throw new Violation('keys', `a key signs that ${name} does not hold`)
  }
}

function keysIn(data: Record<string, string> | undefined): SigningKeys['keys'] {
  const text = Buffer.from(data?.['keys.json'] ?? '', 'base64').toString()
  return text === '' ? [] : (JSON.parse(text) as SigningKeys).keys
}

const kidOf = ({ jwk }: SigningKeys['keys'][number]) => String(jwk['kid'])
