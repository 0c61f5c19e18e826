import { isDeepStrictEqual } from 'node:util'
import type { KubernetesObject } from '@kubernetes/client-node'
import { withoutManagedFields } from './managed-fields.ts'

export interface CacheChange<T> {
  key: string
  /** Absent when the object was deleted. */
  object: T | undefined
}

/** `namespace/name`, or only the name for cluster-scoped objects. */
export function keyOf(object: KubernetesObject): string {
  const { namespace, name = '' } = object.metadata ?? {}
  return namespace ? `${namespace}/${name}` : name
}

/** The objects of one watch as last received, without managedFields; returns what each message changes. */
export class WatchCache<T extends KubernetesObject> {
  readonly objects = new Map<string, T>()

  /** Stores an added or modified object; returns nothing when this version is already stored. */
  put(object: T, isKnown = isSameVersion): CacheChange<T> | undefined {
    const key = keyOf(object)
    const lean = withoutManagedFields(object)
    if (isKnown(this.objects.get(key), lean)) return undefined
    this.objects.set(key, lean)
    return { key, object: lean }
  }

  /**
   * The stored object when nothing of it differs, so that what is remembered of that object remains valid and only one of the
   * two stays in memory; else the given one, without managedFields.
   */
  readonly known = (object: T): T => {
    const lean = withoutManagedFields(object)
    const stored = this.objects.get(keyOf(lean))
    return stored && isSameVersion(stored, lean) ? stored : lean
  }

  remove(object: T): CacheChange<T> | undefined {
    const key = keyOf(object)
    return this.objects.delete(key) ? { key, object: undefined } : undefined
  }

  /**
   * Stores a complete list; returns every difference to the previous content, by uid and resourceVersion or by
   * `isKnown`.
   */
  replace(items: readonly T[], isKnown = isSameVersion): CacheChange<T>[] {
    const listed = new Set(items.map(keyOf))
    const gone = [...this.objects.values()].filter((object) => !listed.has(keyOf(object)))
    const changes = [...gone.map((object) => this.remove(object)), ...items.map((item) => this.put(item, isKnown))]
    return changes.filter((change) => change !== undefined)
  }
}

/**
 * The changes that a stream which had reached `resourceVersion` should have delivered; newer changes are excluded. The
 * time of a deletion is unknown, so deletions are included.
 */
export function missedBefore<T extends KubernetesObject>(changes: readonly CacheChange<T>[], resourceVersion: string) {
  return changes.filter(({ object }) => !isLater(object?.metadata?.resourceVersion ?? '', resourceVersion))
}

// KEP-5504: resourceVersions of one resource are integers that can be compared; otherwise the change counts as missed.
function isLater(a: string, b: string): boolean {
  return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) > BigInt(b)
}

/**
 * Whether an object is already stored. uid and resourceVersion are not enough: after etcd was restored from a backup,
 * they can belong to other content that was written earlier, so the content decides.
 */
function isSameVersion(a: KubernetesObject | undefined, b: KubernetesObject): boolean {
  if (a?.metadata?.uid !== b.metadata?.uid || a?.metadata?.resourceVersion !== b.metadata?.resourceVersion) return false
  return isDeepStrictEqual(contentOf(a), contentOf(b))
}

/** The object without the fields that items of a list lack. */
function contentOf(object: KubernetesObject | undefined): object {
  return { ...object, apiVersion: undefined, kind: undefined }
}
