/** The objects that the operator publishes and the API loads: the only interface between them. */

/** The version that this program writes; it reads this version and the one before. Version 1 has no index pages. */
export const FORMAT_VERSION = 2
/** The versions that this program reads, newest first. */
export const READABLE_VERSIONS: readonly number[] = [FORMAT_VERSION, FORMAT_VERSION - 1]

/** Labels and names that the operator and its readers share. */
export const RATES_INDEX = 'driveaway-rates'
export const CLIENTS_INDEX = 'driveaway-clients'
export const HISTORY_SUFFIX = '-history'
export const PUBLISHED_LABEL = 'rates.driveaway.dev/published'

/**
 * The highest sequence accepted. Anyone who may write an index or a label may write any number there; publishing once a
 * second would not reach this one in 30,000 years.
 */
const MOST_SEQUENCE = 2 ** 40

/** Whether a reader takes a value as the sequence of a publication. */
export function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MOST_SEQUENCE
}

/**
 * Whether an operator goes on from a sequence. Half of what readers take, so that they take what follows: from the highest one,
 * the next publication would be one that nobody reads.
 */
export const isContinued = (value: unknown): value is number => isSequence(value) && value <= MOST_SEQUENCE / 2

/** One part of the content of a rate set; the parts, joined in order, are the canonical JSON of `spec`. */
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
  /** `sha256:<hex>` of the canonical JSON of `spec` alone, which the joined shards must have. */
  specDigest: string
  /** Covered dates, ISO, both inclusive. */
  startDate: string
  endDate: string
  /** Digests of the imported sets against which this entry was checked, by RateSet name. */
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

/** The permissions of a client as published; secrets only as salted hashes. */
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
  /** Words that moderation does not treat as profanity in this client's uploads; absent: none. */
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

/** The state of each collection from which an index was computed: resourceVersion by plural. */
export type Sources = Readonly<Record<string, string>>

/** The kinds of content that are published separately, each with its own index. */
export type PublishedKind = 'rates' | 'clients'

/** `data['shard.json']` of a shard ConfigMap. */
export interface Shard {
  formatVersion: number
  kind: PublishedKind
  /** RateSet name, or the number of the clients shard; `index` and `history` for parts of these. */
  of: string
  part: number
  parts: number
  /** Text of this part; its SHA-256 is in the shard's name and in the index. */
  text: string
}

/**
 * Request header of `/loaded`: the release that the operator knows, or `none`. A process that serves this release omits
 * `sets`, and a caller that sends the header gets no fields that change all the time.
 */
export const KNOWN_RELEASE = 'driveaway-known-release'

/** The answer of an API process at `/loaded`. */
export interface Loaded {
  program: string
  instance: string
  /**
   * The parts that this process loads; absent: all. A process without `rates` prices nothing, and nobody waits for it
   * to load rates.
   */
  parts?: ('rates' | 'clients' | 'keys')[]
  formatVersions: number[]
  release: string | null
  sequence: number | null
  /** Digest by RateSet name. */
  sets: Record<string, string>
  clients: { digest: string; sequence: number } | null
  /** Key ids that this process has and could verify with. */
  signingKeys: string[]
  loadedAt: string | null
  /**
   * Time of the last contact with the Kubernetes API server, ISO; null before the first. Absent when the process loads
   * nothing from a cluster, and in answers of an earlier version.
   */
  lastContact?: string | null
  lastError: string | null
}

/** Signing keys: Secret `driveaway-signing-keys`, `data['keys.json']`. */
export interface SigningKeys {
  /** Private JWKs (EdDSA, Ed25519) with `kid`; `state` says which key signs. */
  keys: { state: 'next' | 'current' | 'previous'; since: string; jwk: Record<string, unknown> }[]
}
/** The ConfigMap, stored beside the index, that records what was admitted. */
export const ADMITTED_RECORD = 'driveaway-admitted'
/**
 * The ConfigMap in which `driveaway backup` records the time of the last backup, ISO: `data.cluster`, and `data.nats`
 * for one that includes NATS.
 */
export const BACKUP_RECORD = 'driveaway-backup'
export const SIGNING_KEYS_SECRET = 'driveaway-signing-keys'
