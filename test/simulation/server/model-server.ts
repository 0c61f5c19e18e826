import { isDeepStrictEqual } from 'node:util'
import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node'
import type { ApplyOptions, Preconditions } from '#runtime/kube/apply.ts'
import type { NewObject, PageOptions, WriteOptions } from '#runtime/kube/kube.ts'
import type { WithNewStatus } from '#runtime/kube/replace-status.ts'
import type { Collection, ObjectReference } from '#runtime/kube/resource-path.ts'
import { collectionOf, kindAt, kindOf, type ModelKind } from './kinds.ts'
import { answerOf, intern, type Stored, type StoredMetadata, type StoredObject } from './object.ts'
import { applied, updated, type Fields, type Owned } from './ownership.ts'
import { refusal } from './refusal.ts'
import { checkStorable } from './rules.ts'
import { selectorOf } from './selector.ts'
import { Storage } from './storage.ts'
import { Stream } from './stream.ts'

interface Sent extends ObjectReference {
  metadata: ObjectReference['metadata'] & {
    generateName?: string
    uid?: string
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  [field: string]: unknown
}

interface Place {
  kind: ModelKind
  path: string
  name: string
  stored: Stored | undefined
}

interface Snapshot {
  revision: number
  items: StoredObject[]
}

/** What is filled in by the server or is not a field to own. */
const NOT_OWNED = new Set(['apiVersion', 'kind', 'metadata', 'status'])
const UNNAMED_MANAGER = 'unknown'

/** The verbs of kube-apiserver on objects in memory: each is done at once, and answers or throws as the server does. */
export class ModelServer {
  readonly storage = new Storage()
  readonly #now: () => Date
  readonly #pages = new Map<string, Snapshot>()
  #made = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  get<T>(reference: ObjectReference): T | undefined {
    const { stored } = this.#place(reference)
    return stored && answerOf<T>(stored.object)
  }

  create<T>(object: NewObject, { fieldManager = UNNAMED_MANAGER }: WriteOptions = {}): T {
    const sent = this.#named(object as Sent)
    const place = this.#place(sent)
    if (place.stored) throw refusal(409, `${place.kind.plural} "${place.name}" already exists`, 'AlreadyExists')
    if (sent.metadata.resourceVersion) throw refusal(500, 'resourceVersion should not be set on objects to be created')
    return this.#write(place, sent, updated(undefined, fieldsIn(sent), fieldManager))
  }

  replace<T>(object: ObjectReference, { fieldManager = UNNAMED_MANAGER }: WriteOptions = {}): T {
    const sent = object as Sent
    const place = this.#place(sent)
    if (!place.stored && !place.kind.createsOnReplace) throw missing(place)
    if (place.kind.isCustom && !sent.metadata.resourceVersion)
      throw refusal(422, 'metadata.resourceVersion: Invalid value: 0: must be specified for an update')
    checkVersion(place, sent.metadata)
    return this.#write(place, sent, updated(place.stored && ownedOf(place.stored), fieldsIn(sent), fieldManager))
  }

  apply<T>(object: KubernetesObject, { fieldManager, force = false }: ApplyOptions): T {
    const sent = object as unknown as Sent
    const place = this.#place(sent)
    if (!place.stored && sent.metadata.uid) throw refusal(409, 'uid mismatch: the object does not exist')
    if (!place.stored && sent.metadata.resourceVersion) throw refusal(409, 'the object has been deleted')
    checkPatched(place, sent.metadata)
    return this.#write(place, sent, applied(place.stored && ownedOf(place.stored), fieldsIn(sent), fieldManager, force))
  }

  patchMetadata<T>(
    reference: ObjectReference,
    metadata: object,
    { fieldManager = UNNAMED_MANAGER }: WriteOptions = {},
  ): T {
    const place = this.#place(reference)
    if (!place.stored) throw missing(place)
    const { uid, resourceVersion, ...changes } = metadata as Sent['metadata']
    checkPatched(place, { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) })
    const owned = ownedOf(place.stored)
    const fields = { ...owned.fields, ...merged(owned.fields, { ...changes }) }
    return this.#write(place, reference as Sent, updated(owned, fields, fieldManager))
  }

  replaceStatus({ metadata, status, ...object }: WithNewStatus): KubernetesObject {
    const place = this.#place({ ...object, metadata })
    if (!place.stored) throw missing(place)
    checkVersion(place, metadata)
    const { stored } = place
    return this.#store(place, { ...stored.object, status: intern(status) }, stored.owners)
  }

  delete(reference: ObjectReference, { uid, resourceVersion }: Preconditions = {}): boolean {
    const place = this.#place(reference)
    if (!place.stored) return false
    checkVersion(place, { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) })
    this.storage.remove(place.path, place.stored)
    return true
  }

  page<T extends KubernetesObject>({ limit, continue: token, ...collection }: PageOptions): KubernetesListObject<T> {
    const { apiVersion, kind } = kindAt(collection.path)
    const { revision, items } = token ? this.#continued(token) : this.#listed(collection)
    const rest = items.slice(limit)
    const metadata = {
      resourceVersion: String(revision),
      ...(rest.length > 0 && this.#keep({ revision, items: rest })),
    }
    const page = items.slice(0, limit).map((item) => answerOf<T>(item))
    return { apiVersion, kind: `${kind}List`, metadata, items: page } as unknown as KubernetesListObject<T>
  }

  /** Throws 410 where the version is too old to go on from. */
  watch(collection: Collection, resourceVersion: string): Stream {
    return new Stream(this.storage, collection, resourceVersion)
  }

  #listed(collection: Collection): Snapshot {
    const items = this.storage.list(collection.path).filter(selectorOf(collection))
    return { revision: this.storage.revision, items }
  }

  #continued(token: string): Snapshot {
    const snapshot = this.#pages.get(token)
    if (!snapshot || snapshot.revision < this.storage.compacted)
      throw refusal(410, 'The provided continue parameter is too old')
    return snapshot
  }

  #keep(rest: Snapshot): { continue: string } {
    const token = `page-${(this.#made += 1)}`
    this.#pages.set(token, rest)
    return { continue: token }
  }

  #place({ apiVersion, kind: name, metadata }: ObjectReference): Place {
    const kind = kindOf(apiVersion, name)
    const path = collectionOf(kind, metadata.namespace ?? '')
    return { kind, path, name: metadata.name, stored: this.storage.get(path, metadata.name) }
  }

  #named(object: Sent): Sent {
    const { name, generateName } = object.metadata
    if (name || generateName === undefined) return object
    const suffix = (this.#made += 1).toString(36).padStart(5, '0')
    return { ...object, metadata: { ...object.metadata, name: `${generateName}${suffix}` } }
  }

  #write<T>(place: Place, sent: Sent, { fields, owners }: Owned): T {
    const { kind, stored } = place
    const { labels, annotations, ...contents } = fields
    const metadata = { ...this.#identity(place, sent), ...internEach(given({ labels, annotations })) }
    const object: StoredObject = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...internEach(contents) }
    const status = kind.isCustom ? stored?.object['status'] : undefined
    return this.#store(place, status === undefined ? object : { ...object, status }, owners)
  }

  #identity({ kind, name, stored }: Place, { metadata: { namespace = '' } }: Sent): StoredMetadata {
    const before = stored?.object.metadata
    return {
      ...{ name, namespace, resourceVersion: '' },
      uid: before?.uid ?? `uid-${this.storage.revision + 1}`,
      creationTimestamp:
        before?.creationTimestamp ??
        this.#now()
          .toISOString()
          .replace(/\.\d+Z$/, 'Z'),
      ...(kind.isCustom && { generation: before?.generation ?? 1 }),
    }
  }

  #store<T>({ kind, path, stored }: Place, object: StoredObject, owners: Stored['owners']): T {
    const before = stored?.object
    const isSame = before !== undefined && isDeepStrictEqual(contentOf(before), contentOf(object))
    // A write that changes nothing makes no version.
    if (isSame && isDeepStrictEqual(stored?.owners, owners)) return answerOf(before)
    checkStorable(object, before, JSON.stringify(object).length)
    const isNewSpec = before !== undefined && kind.isCustom && !isDeepStrictEqual(before['spec'], object['spec'])
    const generation = isNewSpec ? { generation: (before.metadata.generation ?? 0) + 1 } : {}
    return answerOf(
      this.storage.put(path, (resourceVersion) => {
        const metadata: StoredMetadata = Object.freeze({ ...object.metadata, ...generation, resourceVersion })
        return { object: Object.freeze({ ...object, metadata }), owners }
      }),
    )
  }
}

/** A patch of another uid would change that field; a version that is not the stored one is found first. */
function checkPatched(place: Place, { uid, resourceVersion }: Preconditions): void {
  checkVersion(place, resourceVersion ? { resourceVersion } : {})
  if (uid && place.stored && uid !== place.stored.object.metadata.uid)
    throw refusal(422, 'metadata.uid: Invalid value: field is immutable')
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function missing({ kind, name }: Place): Error {
  return refusal(404, `${kind.plural} "${name}" not found`)
}

/** uid and resourceVersion that are sent are preconditions. */
function checkVersion({ stored, name }: Place, sent: Preconditions): void {
  const { uid, resourceVersion } = stored?.object.metadata ?? {}
  if (sent.uid && sent.uid !== uid) throw refusal(409, `Precondition failed: UID of ${name} is ${uid}`)
  if (sent.resourceVersion && sent.resourceVersion !== resourceVersion)
    throw refusal(409, `the object ${name} has been modified; it is at ${resourceVersion}`)
}

function fieldsIn(sent: Sent): Fields {
  const { labels, annotations } = sent.metadata
  const contents = Object.entries(sent).filter(([key, value]) => !NOT_OWNED.has(key) && value !== undefined)
  return { ...Object.fromEntries(contents), ...(labels && { labels }), ...(annotations && { annotations }) }
}

function ownedOf({ object, owners }: Stored): Owned {
  return { fields: fieldsIn(object as unknown as Sent), owners }
}

function internEach(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, intern(value)]))
}

/** RFC 7386, on labels and annotations. */
function merged(fields: Fields, changes: Pick<Sent['metadata'], 'labels' | 'annotations'>): Fields {
  const each = Object.entries(changes).map(([key, change]) => {
    const values = Object.entries({ ...(fields[key] as object), ...(change as object) })
    return [key, Object.fromEntries(values.filter(([, value]) => value !== null))]
  })
  return Object.fromEntries(each) as Fields
}

/** An object without its version. */
function contentOf({ metadata: { resourceVersion: _, ...metadata }, ...object }: StoredObject) {
  return { ...object, metadata }
}
