import type { Stored, StoredObject } from './object.ts'

/** One change of what is stored. */
export interface Write {
  revision: number
  path: string
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** As it is now; of a deletion as it last was, at the version of the deletion. */
  object: StoredObject
  previous?: StoredObject
}

/** The objects by collection and name, one counter of versions for all, and the changes since the last compaction. */
export class Storage {
  /** Told of each write once it is stored. */
  readonly listeners: ((write: Write) => void)[] = []
  #revision = 1
  #compacted = 0
  readonly #objects = new Map<string, Map<string, Stored>>()
  readonly #log = new Map<string, Write[]>()

  get revision(): number {
    return this.#revision
  }

  /** Versions up to this one are forgotten: nobody can watch from before it. */
  get compacted(): number {
    return this.#compacted
  }

  get(path: string, name: string): Stored | undefined {
    return this.#objects.get(path)?.get(name)
  }

  /** In order of name, as the server lists. */
  list(path: string): StoredObject[] {
    const sorted = [...(this.#objects.get(path) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([, { object }]) => object)
  }

  /** Stores an object at the next version; `make` gets that version. */
  put(path: string, make: (resourceVersion: string) => Stored): StoredObject {
    this.#revision += 1
    const stored = make(String(this.#revision))
    const { object } = stored
    const objects = this.#objects.get(path) ?? new Map<string, Stored>()
    this.#objects.set(path, objects)
    const previous = objects.get(object.metadata.name)?.object
    objects.set(object.metadata.name, stored)
    this.#tell({
      revision: this.#revision,
      path,
      object,
      ...(previous ? { type: 'MODIFIED', previous } : { type: 'ADDED' }),
    })
    return object
  }

  remove(path: string, { object: previous }: Stored): void {
    this.#revision += 1
    this.#objects.get(path)?.delete(previous.metadata.name)
    const metadata = Object.freeze({ ...previous.metadata, resourceVersion: String(this.#revision) })
    const object = Object.freeze({ ...previous, metadata })
    this.#tell({ revision: this.#revision, path, type: 'DELETED', object, previous })
  }

  /** The changes of a collection after a version; undefined where that version is forgotten. */
  since(path: string, revision: number): readonly Write[] | undefined {
    if (revision < this.#compacted) return undefined
    return (this.#log.get(path) ?? []).filter((write) => write.revision > revision)
  }

  /** Forgets what came before the present. */
  compact(): void {
    this.#compacted = this.#revision
    this.#log.clear()
  }

  #tell(write: Write): void {
    const log = this.#log.get(write.path) ?? []
    this.#log.set(write.path, log)
    log.push(write)
    for (const listener of this.listeners) listener(write)
  }
}
