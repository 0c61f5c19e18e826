import { hash } from 'node:crypto'
import type { StoredObject } from './server/object.ts'
import type { Write } from './server/storage.ts'

/** Leases only show that time passes, and events tell what happened: neither is state that programs go on from. */
const LEFT_OUT = new Set(['Lease', 'Event'])
/** Times and versions make every state a new one. */
const PASSING = /\d{4}-\d\d-\d\dT[\d:.]+Z|"(ratesets|showroomclients|secrets)":"\d+"/g

/** A number that stands for everything that is stored, without times and versions; made anew of what changed alone. */
export class StateHash {
  #high = 0
  #low = 0
  readonly #objects = new Map<string, [number, number]>()

  /** Whether the write changed the state. */
  take({ path, type, object }: Write): boolean {
    if (LEFT_OUT.has(object.kind)) return false
    const key = `${path}/${object.metadata.name}`
    const before = this.#objects.get(key) ?? [0, 0]
    const after = type === 'DELETED' ? ([0, 0] as [number, number]) : numbersOf(key, object)
    if (after[0] === before[0] && after[1] === before[1]) return false
    this.#objects.set(key, after)
    this.#high ^= before[0] ^ after[0]
    this.#low ^= before[1] ^ after[1]
    return true
  }

  /** 53 bits, as a number holds them. */
  get value(): number {
    return (this.#high >>> 11) * 2 ** 32 + (this.#low >>> 0)
  }
}

function numbersOf(key: string, object: StoredObject): [number, number] {
  const { labels, annotations, generation } = object.metadata
  const parts = [labels, annotations, ...contentsOf(object)].map(hashOf)
  const digest = Buffer.from(hash('sha1', `${key} ${generation} ${parts.join(' ')}`, 'hex'), 'hex')
  return [digest.readInt32BE(0), digest.readInt32BE(4)]
}

function contentsOf({ kind, data, spec, status, type, immutable }: StoredObject): unknown[] {
  // Which keys there are is chance; which of them sign is state.
  if (kind === 'Secret') return [type, Object.keys((data ?? {}) as object), statesOf(data as Record<string, string>)]
  return [data, spec, status, type, immutable]
}

function statesOf(data: Record<string, string> | undefined): string {
  const text = Buffer.from(data?.['keys.json'] ?? '', 'base64').toString()
  return [...text.matchAll(/"state":"(\w+)"/g)].map(([, state]) => state).join()
}

const hashes = new WeakMap<object, string>()

function hashOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value)
  const known = hashes.get(value)
  if (known !== undefined) return known
  // A text within a text has its quotes escaped.
  const text = JSON.stringify(value).replaceAll('\\"', '"').replace(PASSING, '')
  const made = hash('sha1', text, 'base64')
  hashes.set(value, made)
  return made
}
