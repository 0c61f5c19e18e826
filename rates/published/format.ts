/** What the operator publishes and the API loads: the only wire between them. */

/** The newest version that this program writes; it reads this one and the one before. Version 1 has no index pages. */
export const FORMAT_VERSION = 2
/** What this program reads, the newest first. */
export const READABLE_VERSIONS: readonly number[] = [FORMAT_VERSION, FORMAT_VERSION - 1]

/** Labels and names that both sides agree on. */
export const RATES_INDEX = 'driveaway-rates'
export const CLIENTS_INDEX = 'driveaway-clients'
export const HISTORY_SUFFIX = '-history'
export const PUBLISHED_LABEL = 'rates.driveaway.dev/published'

/**
 * The highest sequence that is believed: anybody who may write an index or a label may write any number there, and
 * publications, one each second, would not reach this one in 30,000 years.
 */
const MOST_SEQUENCE = 2 ** 40

/** Whether a value can be the sequence of a publication. */
export function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MOST_SEQUENCE
}

/** One part of one rate set's content; parts are joined in order to the canonical JSON of `spec`. */
export interface ShardReference {
  /** Name of the immutable ConfigMap. */
  name: string
  /** `sha256:<hex>` of the part's text. */
  digest: string
}

/** One published rate set in the rates index. */
export interface RateSetEntry {
  /** Name of the RateSet object. */
  name: string
  pricingCode: string
  financialYear: string
  /** `sha256:<hex>` over the canonical JSON (RFC 8785) of `{ spec, imports: { <code>: digest } }`: the attested digest. */
  digest: string
  /** `sha256:<hex>` of the canonical JSON of `spec` alone: what the joined shards must hash to. */
  specDigest: string
  /** Covered dates, ISO, both inclusive. */
  startDate: string
  endDate: string
  /** Digests of the imported sets that this entry was checked with, by RateSet name. */
  imports: Record<string, string>
  shards: ShardReference[]
}

/** `data['index.json']` of the rates index ConfigMap. */
export interface RatesIndex {
  formatVersion: number
  kind: 'rates'
  sequence: number
  /** `sha256:<hex>` over the canonical JSON of `sets` without shard names: the release. */
  release: string
  sources?: Sources
  sets: RateSetEntry[]
}

/** What a token's holder may do, as published; secrets only as salted hashes. */
export interface ClientBinding {
  clientId: string
  /** metadata.uid of the ShowroomClient: tokens of an earlier object of the same name are refused. */
  uid: string
  displayName: string
  showroomCodes: string[]
  grants: string[]
  suspended: boolean
  /** Salted SHA-256 of each client secret, hex. */
  secrets: { salt: string; hash: string }[]
  jwks: { keys: Record<string, unknown>[] }[]
  subjects: { issuer: string; subject: string }[]
  /** Words that moderation of the client's uploads takes for no profanity; absent: none. */
  allowedWords?: string[]
}

/** `data['index.json']` of the clients index ConfigMap; bindings are in shards by hash of the client id. */
export interface ClientsIndex {
  formatVersion: number
  kind: 'clients'
  sequence: number
  digest: string
  sources?: Sources
  shards: ClientShardReference[]
}

/** One published shard of client bindings. */
export type ClientShardReference = ShardReference & { count: number }

/** How far the collections were known that an index was computed from: resourceVersion by plural. */
export type Sources = Readonly<Record<string, string>>

/** What is published by itself, with an index of its own. */
export type PublishedKind = 'rates' | 'clients'

/** `data['shard.json']` of a shard ConfigMap. */
export interface Shard {
  formatVersion: number
  kind: PublishedKind
  /** RateSet name, or the number of the clients shard; `index` and `history` for parts of those. */
  of: string
  part: number
  parts: number
  /** Text of this part; its SHA-256 is in the name and in the index. */
  text: string
}

/**
 * Request header of `/loaded`: the release that the operator knows, or `none`. A process that serves it leaves `sets` out,
 * and whoever sends the header is not told what changes all the time.
 */
export const KNOWN_RELEASE = 'driveaway-known-release'

/** What an API process answers at `/loaded`. */
export interface Loaded {
  program: string
  instance: string
  /** What this process loads; without `rates` it prices nothing, and nobody waits for rates from it. Absent: everything. */
  parts?: ('rates' | 'clients' | 'keys')[]
  formatVersions: number[]
  release: string | null
  sequence: number | null
  /** Digest by RateSet name. */
  sets: Record<string, string>
  clients: { digest: string; sequence: number } | null
  /** Key ids that this process holds and could verify with. */
  signingKeys: string[]
  loadedAt: string | null
  /**
   * When the process last heard from the Kubernetes API server, ISO; null before it did. Absent where nothing comes from a
   * cluster, and in the answer of an earlier version.
   */
  lastContact?: string | null
  lastError: string | null
}

/** Signing keys: Secret `driveaway-signing-keys`, `data['keys.json']`. */
export interface SigningKeys {
  /** Private JWKs (EdDSA, Ed25519), with `kid`; `use` says which signs. */
  keys: { state: 'next' | 'current' | 'previous'; since: string; jwk: Record<string, unknown> }[]
}
/** The ConfigMap that remembers, beside the index, what was admitted. */
export const ADMITTED_RECORD = 'driveaway-admitted'
/** The ConfigMap in which `driveaway backup` leaves the time of the last backup: `data.cluster`, and `data.nats` of one with NATS; ISO. */
export const BACKUP_RECORD = 'driveaway-backup'
export const SIGNING_KEYS_SECRET = 'driveaway-signing-keys'
