import { digestOf } from '#rates/published/canonical.ts'
import { HISTORY_SUFFIX, RATES_INDEX, type RatesIndex } from '#rates/published/format.ts'
import { HISTORY_KEY } from '#rates/published/history.ts'
import { CODES, NAMESPACE, nameOf, qualityOf, type Quality } from '../plan/contents.ts'
import type { StoredObject } from '../server/object.ts'
import type { Storage, Write } from '../server/storage.ts'
import { conditionOf, type Status } from './statuses.ts'
import { Violation } from './violation.ts'

/** One version of a RateSet that was stored. */
interface Version {
  revision: number
  specDigest: string
  quality: Quality
  isWithdrawn: boolean
}

const FEDERAL = nameOf('AU')
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const RATE_SETS = `/apis/rates.driveaway.dev/v1alpha1/namespaces/${NAMESPACE}/ratesets`
const digests = new WeakMap<object, string>()

export function specDigestOf(spec: object): string {
  const known = digests.get(spec) ?? digestOf(spec)
  digests.set(spec, known)
  return known
}

export function indexIn(object: StoredObject | undefined): RatesIndex | undefined {
  try {
    const { 'index.json': text = '' } = (object?.['data'] ?? {}) as Record<string, string>
    return JSON.parse(text) as RatesIndex
  } catch {
    return undefined
  }
}

function historyIn(object: StoredObject | undefined): boolean {
  return ((object?.['data'] ?? {}) as Record<string, string>)[HISTORY_KEY]?.startsWith('{"formatVersion"') ?? false
}

/** What must hold of the rates index after every write, whoever made it. */
export class RatesInvariants {
  readonly #storage: Storage
  /** The index that an operator wrote last, whatever became of it since. */
  last: RatesIndex | undefined
  /** What was published last of each set, also of one that is withdrawn. */
  readonly #entries = new Map<string, RatesIndex['sets'][number]>()
  /** When each content came into the index the last time, by name and digest. */
  readonly broughtIn = new Map<string, number>()
  readonly #versions = new Map<string, Version[]>(CODES.map((code) => [nameOf(code), []]))
  /** What each set was checked with, by its digest. */
  readonly pins = new Map<string, Readonly<Record<string, string>>>()
  /** The first version that the published content may be of, by name. */
  readonly #floors = new Map<string, number>()
  /** Texts by name of the shard. */
  readonly #texts = new Map<string, string>()
  /** Shards that somebody took away, and that are not back. */
  readonly takenAway = new Set<string>()
  /** Sets that nothing tells of: index and history are gone, and so are their shards. Nobody could keep them. */
  readonly untold = new Set<string>()
  /** Digests that were attested, where that is asked for. */
  readonly #attested: ReadonlySet<string> | undefined

  constructor(storage: Storage, attested: ReadonlySet<string> | undefined) {
    this.#storage = storage
    this.#attested = attested
  }

  versions(name: string): readonly Version[] {
    return this.#versions.get(name) ?? []
  }

  take(write: Write, isOperator: boolean): void {
    const { object, type } = write
    if (object.kind === 'RateSet') return this.#takeVersion(write)
    if (object.kind !== 'ConfigMap') return
    const { name } = object.metadata
    const isShard = object['immutable'] === true
    if (!isOperator) {
      if (isShard && type === 'DELETED') this.takenAway.add(name)
      this.#findUntold()
    }
    if (name === RATES_INDEX) return isOperator ? this.#takeIndex(write) : undefined
    if (!isShard) return
    if (type !== 'DELETED') this.#takeShard(name, object)
    else if (isOperator) this.#takeDeletion(name)
  }

  /** With the index and its history gone, a set is known by its shards, and without those it is known no more. */
  #findUntold(): void {
    const stored = (name: string) => this.#storage.get(CONFIG_MAPS, name)?.object
    if (indexIn(stored(RATES_INDEX)) || historyIn(stored(RATES_INDEX + HISTORY_SUFFIX))) return
    const published = new Set(this.last?.sets)
    for (const entry of this.#entries.values()) {
      const isLost = (shard: string) => (published.has(entry) ? !stored(shard) : this.takenAway.has(shard))
      if (entry.shards.some(({ name }) => isLost(name))) this.untold.add(entry.name)
    }
  }

  #takeVersion({ type, object, revision }: Write): void {
    if (type === 'DELETED') return
    const spec = object['spec'] as object & { withdrawn?: boolean }
    const version = { specDigest: specDigestOf(spec), quality: qualityOf(spec), isWithdrawn: spec.withdrawn === true }
    this.#versions.get(object.metadata.name)?.push({ revision, ...version })
  }

  #takeShard(name: string, object: StoredObject): void {
    this.takenAway.delete(name)
    const text = ((object['data'] ?? {}) as Record<string, string>)['shard.json'] ?? ''
    const known = this.#texts.get(name)
    if (known !== undefined && known !== text) throw new Violation('content-names', `${name} has another content`)
    this.#texts.set(name, text)
  }

  #takeDeletion(name: string): void {
    const index = indexIn(this.#storage.get(CONFIG_MAPS, RATES_INDEX)?.object)
    if (index?.sets?.some((set) => set.shards.some((shard) => shard.name === name)))
      throw new Violation('shards-exist', `an operator deleted ${name}, which the index names`)
  }

  #takeIndex({ type, object }: Write): void {
    // A place is made without content: an old content that comes late finds another version.
    if (type === 'ADDED' && !object['data']) return
    if (type === 'DELETED') throw new Violation('index-stays', 'an operator deleted the rates index')
    const index = indexIn(object)
    if (!index) throw new Violation('index-stays', 'an operator wrote an index that cannot be read')
    const before = this.last
    this.last = index
    this.#checkSequence(index, before)
    this.#checkShards(index)
    this.#checkImports(index)
    this.#checkVanished(index, before)
    this.#checkSources(index, before)
    for (const entry of index.sets) {
      this.#checkEntry(entry, before)
      this.#entries.set(entry.name, entry)
    }
  }

  #checkSequence({ sequence, release }: RatesIndex, before: RatesIndex | undefined): void {
    if (!before) return
    const isOlder = sequence < before.sequence || (sequence === before.sequence && release !== before.release)
    if (isOlder) throw new Violation('sequence', `${sequence} was written after ${before.sequence}`)
  }

  #checkShards(index: RatesIndex): void {
    for (const { name } of index.sets.flatMap((set) => set.shards))
      if (!this.#storage.get(CONFIG_MAPS, name) && !this.takenAway.has(name))
        throw new Violation('shards-exist', `the index names ${name}, which is not there`)
  }

  #checkImports(index: RatesIndex): void {
    const digestsByName = new Map(index.sets.map(({ name, digest }) => [name, digest]))
    for (const { name, digest, imports } of index.sets) {
      this.pins.set(digest, imports)
      if (name !== FEDERAL && imports[FEDERAL] === undefined)
        throw new Violation('imports', `${name} does not say which federal set it was checked with`)
      for (const [imported, pinned] of Object.entries(imports))
        if (digestsByName.get(imported) !== pinned)
          throw new Violation(
            'imports',
            `${name} was checked with ${imported} at ${pinned.slice(0, 15)}, which is not published`,
          )
    }
  }

  #checkVanished(index: RatesIndex, before: RatesIndex | undefined): void {
    const names = new Set(index.sets.map(({ name }) => name))
    for (const { name } of before?.sets ?? []) {
      if (names.has(name) || (this.untold.has(name) && !this.#isSaidPublished(name))) continue
      const floor = this.#floors.get(name) ?? 0
      if (!this.versions(name).some((version, at) => at >= floor && version.isWithdrawn))
        throw new Violation('vanished', `${name} was published, is not withdrawn, and is no longer published`)
    }
  }

  /** Where nothing else tells of a set, the status of its object does. */
  #isSaidPublished(name: string): boolean {
    const status = this.#storage.get(RATE_SETS, name)?.object['status'] as Status | undefined
    return status?.digest !== undefined && conditionOf(status, 'Published')?.status === 'True'
  }

  #checkSources(index: RatesIndex, before: RatesIndex | undefined): void {
    const now = sourcesOf(index)
    for (const [kind, version] of Object.entries(sourcesOf(before)))
      if (Number(now[kind] ?? 0) < Number(version))
        throw new Violation('sources', `computed from ${kind} at ${now[kind]}, after one from ${version}`)
  }

  #checkAttested(name: string, digest: string): void {
    if (this.#attested && !this.#attested.has(`${name} ${digest}`))
      throw new Violation('attested', `${name} is published at a digest that nobody attested`)
  }

  #checkEntry({ name, specDigest, digest }: RatesIndex['sets'][number], before: RatesIndex | undefined): void {
    const was = before?.sets.find((set) => set.name === name)
    this.#checkAttested(name, digest)
    if (was?.digest !== digest) this.broughtIn.set(`${name} ${digest}`, this.#storage.revision)
    if (was?.specDigest === specDigest) return
    const floor = this.#floors.get(name) ?? 0
    const at = this.versions(name).findIndex(
      (version, position) => position >= floor && version.specDigest === specDigest,
    )
    // Of what nothing tells of, an earlier content may be left.
    if (at < 0 && this.untold.delete(name)) return void this.#floors.delete(name)
    if (at < 0) throw new Violation('never-back', `${name} is published as it was before what was published last`)
    if (this.versions(name)[at]?.quality === 'bad') throw new Violation('checked', `${name} is published with a fault`)
    this.#floors.set(name, at)
  }
}

function sourcesOf(index: RatesIndex | undefined): Readonly<Record<string, string>> {
  return (index as { sources?: Record<string, string> } | undefined)?.sources ?? {}
}
