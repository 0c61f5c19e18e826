import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'

export interface Change<T> {
  key: string
  /** Absent: it is deleted. */
  object: T | undefined
}

/** `namespace/name`, or the name alone of what has no namespace. */
export function keyOf(object: KubernetesObject): string {
  const { namespace, name = '' } = object.metadata ?? {}
  return namespace ? `${namespace}/${name}` : name
}

/** The objects of one watch as last seen, without managedFields; tells what each message changes. */
export class WatchCache<T extends KubernetesObject> {
  readonly objects = new Map<string, T>()

  /** Takes an added or modified object; nothing when that version is here already. */
  put(object: T, isKnown = isSameVersion): Change<T> | undefined {
    const key = keyOf(object)
    if (isKnown(this.objects.get(key), object)) return undefined
    if (object.metadata) delete object.metadata.managedFields
    this.objects.set(key, object)
    return { key, object }
  }

  remove(object: T): Change<T> | undefined {
    const key = keyOf(object)
    return this.objects.delete(key) ? { key, object: undefined } : undefined
  }

  /** Takes a complete list, and returns every difference to what was here, by uid and resourceVersion or `isKnown`. */
  replace(items: readonly T[], isKnown = isSameVersion): Change<T>[] {
    const listed = new Set(items.map(keyOf))
    const gone = [...this.objects.values()].filter((object) => !listed.has(keyOf(object)))
    const changes = [...gone.map((object) => this.remove(object)), ...items.map((item) => this.put(item, isKnown))]
    return changes.filter((change) => change !== undefined)
  }
}

/**
 * The changes that a stream which had come as far as `resourceVersion` should have told: not what is newer. When a
 * deletion happened cannot be known, so it counts.
 */
export function missedBefore<T extends KubernetesObject>(changes: readonly Change<T>[], resourceVersion: string) {
  return changes.filter(({ object }) => !isLater(object?.metadata?.resourceVersion ?? '', resourceVersion))
}

// KEP-5504: resourceVersions of one resource are whole numbers that can be compared; else take it as missed.
function isLater(a: string, b: string): boolean {
  return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) > BigInt(b)
}

/**
 * Whether an object is here already. After etcd was restored from a backup, uid and resourceVersion can be those of another
 * content that was written before: the content decides.
 */
function isSameVersion(a: KubernetesObject | undefined, b: KubernetesObject): boolean {
  if (a?.metadata?.uid !== b.metadata?.uid || a?.metadata?.resourceVersion !== b.metadata?.resourceVersion) return false
  return isDeepStrictEqual(contentOf(a), contentOf(b))
}

/** Without what the cache drops, and without what the items of a list lack. */
function contentOf(object: KubernetesObject | undefined): object {
  const metadata = { ...object?.metadata, managedFields: undefined }
  return { ...object, apiVersion: undefined, kind: undefined, metadata }
}
