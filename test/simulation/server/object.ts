/** Metadata as the model server fills it in. */
export interface StoredMetadata {
  name: string
  namespace: string
  uid: string
  resourceVersion: string
  creationTimestamp: string
  generation?: number
  labels?: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
}

/** An object as it is stored: frozen, because answers and events share its parts. */
export interface StoredObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Readonly<StoredMetadata>
  readonly [field: string]: unknown
}

/** Who owns each leaf of an object: the managers' names by path, as managedFields has it the other way round. */
export type Owners = ReadonlyMap<string, ReadonlySet<string>>

export interface Stored {
  object: StoredObject
  owners: Owners
}

const interned = new Map<string, unknown>()
/** Contents come back again and again; what has not come back by then is forgotten. */
const MOST_INTERNED = 20_000

/**
 * The frozen value of a JSON text, the same one each time: programs remember what they computed of an object, and a
 * content that is stored again is the same content.
 */
export function intern(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const text = JSON.stringify(value)
  const known = interned.get(text)
  if (known !== undefined) return known
  if (interned.size >= MOST_INTERNED) interned.clear()
  const made = deepFrozen(JSON.parse(text))
  interned.set(text, made)
  return made
}

function deepFrozen(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  for (const each of Object.values(value)) deepFrozen(each)
  return Object.freeze(value)
}

/** What a client gets: an object of its own as far down as clients change objects. */
export function answerOf<T>(object: StoredObject): T {
  return { ...object, metadata: { ...object.metadata } } as T
}
