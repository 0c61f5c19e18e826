import { decodeClients } from '#rates/published/decode.ts'
import { CLIENTS_INDEX, type ClientBinding, type ClientsIndex } from '#rates/published/format.ts'
import { NAMESPACE, type ClientSpec } from '../plan/contents.ts'
import type { StoredObject } from '../server/object.ts'
import type { Storage, Write } from '../server/storage.ts'
import { conditionOf, type Status } from './statuses.ts'
import { Violation } from './violation.ts'

const CLIENTS = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${NAMESPACE}/showroomclients`
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`

/** What the names of the shards begin with. */
const SHARD = 'clients-'

interface Version {
  uid: string
  isSuspended: boolean
}

/** What must hold of the clients index after every write. */
export class ClientsInvariants {
  readonly #storage: Storage
  readonly #takenAway: ReadonlySet<string>
  /** Whether somebody took a shard away since `bindings` was read. */
  #isTakenSince = false
  last: ClientsIndex | undefined
  /** What was published last, by client. */
  bindings: ReadonlyMap<string, ClientBinding> = new Map()
  readonly #versions = new Map<string, Version[]>()
  readonly #floors = new Map<string, number>()
  readonly #deleted = new Set<string>()

  constructor(storage: Storage, takenAway: ReadonlySet<string>) {
    this.#storage = storage
    this.#takenAway = takenAway
  }

  take({ type, object }: Write, isOperator: boolean): void {
    const { name, uid } = object.metadata
    if (object.kind === 'ShowroomClient') {
      if (type === 'DELETED') this.#deleted.add(uid)
      else this.#takeVersion(name, { uid, isSuspended: (object['spec'] as ClientSpec).suspended })
    }
    if (object.kind !== 'ConfigMap') return
    if (!isOperator) this.#isTakenSince ||= type === 'DELETED' && name.startsWith(SHARD)
    else if (name === CLIENTS_INDEX) this.#takeIndex(type, object)
    else if (type === 'DELETED') this.#takeDeletion(name)
  }

  #takeVersion(name: string, version: Version): void {
    this.#versions.set(name, [...(this.#versions.get(name) ?? []), version])
  }

  #takeDeletion(name: string): void {
    const index = clientsIndexIn(this.#storage.get(CONFIG_MAPS, CLIENTS_INDEX)?.object)
    if (index?.shards?.some((shard) => shard.name === name))
      throw new Violation('shards-exist', `an operator deleted ${name}, which the clients index names`)
  }

  #takeIndex(type: Write['type'], object: StoredObject): void {
    // A place is made without content: an old content that comes late finds another version.
    if (type === 'ADDED' && !object['data']) return
    const index = clientsIndexIn(object)
    if (type === 'DELETED' || !index) throw new Violation('index-stays', 'an operator took the clients index away')
    const before = this.last
    this.last = index
    this.#checkSequence(index, before)
    const texts = new Map<string, string>()
    for (const { name } of index.shards) {
      const shard = this.#storage.get(CONFIG_MAPS, name)?.object
      if (shard) texts.set(name, (shard['data'] as Record<string, string>)['shard.json'] ?? '')
      else if (!this.#takenAway.has(name))
        throw new Violation('shards-exist', `the clients index names ${name}, which is not there`)
      // What was taken away at this very moment cannot be looked into.
      else return
    }
    this.#checkSources(index, before)
    this.#checkBindings(decodeClients(index, texts))
  }

  #checkSequence({ sequence, digest }: ClientsIndex, before: ClientsIndex | undefined): void {
    if (!before) return
    const isOlder = sequence < before.sequence || (sequence === before.sequence && digest !== before.digest)
    if (isOlder) throw new Violation('sequence', `clients ${sequence} was written after ${before.sequence}`)
  }

  #checkSources(index: ClientsIndex, before: ClientsIndex | undefined): void {
    const [now, then] = [index, before].map((each) => (each as { sources?: Record<string, string> })?.sources ?? {})
    for (const [kind, version] of Object.entries(then ?? {}))
      if (Number(now?.[kind] ?? 0) < Number(version))
        throw new Violation('sources', `clients computed from ${kind} at ${now?.[kind]}, after ${version}`)
  }

  #checkBindings(bindings: ReadonlyMap<string, ClientBinding>): void {
    for (const [name, { uid }] of this.bindings)
      if (!bindings.has(name) && !this.#deleted.has(uid) && !this.#isUntold(name))
        throw new Violation('vanished', `client ${name} is there, and is no longer published`)
    for (const [name, binding] of bindings) this.#checkBinding(name, binding)
    this.bindings = bindings
    this.#isTakenSince = false
  }

  /** Its shard was taken away before its status said that it is published: nothing tells that it ever was. */
  #isUntold(name: string): boolean {
    if (!this.#isTakenSince) return false
    const status = this.#storage.get(CLIENTS, name)?.object['status'] as Status | undefined
    return conditionOf(status, 'Published')?.status !== 'True'
  }

  #checkBinding(name: string, { uid, suspended }: ClientBinding): void {
    const versions = this.#versions.get(name) ?? []
    const floor = this.#floors.get(name) ?? 0
    const at = versions.findIndex(
      (each, position) => position >= floor && each.uid === uid && each.isSuspended === suspended,
    )
    const before = this.bindings.get(name)
    if (before?.uid === uid && before.suspended === suspended) return
    // An earlier shard may be all that is left of a client whose object is at fault: nobody is let in by that.
    if (at < 0 && suspended && this.#isTakenSince) return
    if (at < 0)
      throw new Violation(
        'never-back',
        `client ${name} is published ${suspended ? '' : 'not '}suspended, as it was before`,
      )
    this.#floors.set(name, at)
  }
}

export function clientsIndexIn(object: StoredObject | undefined): ClientsIndex | undefined {
  try {
    const { 'index.json': text = '' } = (object?.['data'] ?? {}) as Record<string, string>
    return JSON.parse(text) as ClientsIndex
  } catch {
    return undefined
  }
}
