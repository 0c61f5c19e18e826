import { sha256 } from './canonical.ts'
import { READABLE_VERSIONS, type Shard } from './format.ts'

/**
 * Thrown when published objects are inconsistent; `set` and `shard` say where, and `missing` says that a shard does not
 * exist.
 */
export class PublishedFault extends Error {
  override name = 'PublishedFault'
  readonly set: string | undefined
  readonly shard: string | undefined
  readonly missing: boolean

  constructor(message: string, where: { set?: string; shard?: string; missing?: boolean } = {}) {
    super([where.set && `set ${where.set}`, where.shard && `shard ${where.shard}`, message].filter(Boolean).join(': '))
    this.set = where.set
    this.shard = where.shard
    this.missing = where.missing ?? false
  }
}

/** Thrown for a format that this program does not know. Such objects are not broken and must not be replaced. */
export class UnknownFormat extends PublishedFault {
  override name = 'UnknownFormat'
}

/** Text of `data['shard.json']` by name of the shard ConfigMap. */
export type ShardTexts = ReadonlyMap<string, string>

/** The verified text of a shard; throws PublishedFault that names set and shard. */
export function shardText(
  reference: { name: string; digest: string },
  texts: ShardTexts,
  expected: { of: string; kind: Shard['kind']; part: number },
): string {
  const where = { ...(expected.kind === 'rates' && { set: expected.of }), shard: reference.name }
  const json = texts.get(reference.name)
  if (json === undefined) throw new PublishedFault('is not there', { ...where, missing: true })
  const shard = parseJson(json, `shard ${reference.name}`) as Shard
  readable(shard, expected.kind)
  if (shard.of !== expected.of) throw new PublishedFault(`belongs to ${shard.of}`, where)
  if (shard.part !== expected.part) throw new PublishedFault(`is part ${shard.part}, not ${expected.part}`, where)
  if (typeof shard.text !== 'string' || sha256(shard.text) !== reference.digest)
    throw new PublishedFault(`its text does not hash to ${reference.digest}`, where)
  return shard.text
}

/** Throws PublishedFault for another kind, and UnknownFormat for a version that this program does not read. */
export function readable(value: { formatVersion?: number; kind?: string } | null, kind: string): void {
  if (value?.kind !== kind) throw new PublishedFault(`expected ${kind}, found ${value?.kind}`)
  const version = value.formatVersion
  if (version === undefined || !READABLE_VERSIONS.includes(version))
    throw new UnknownFormat(
      `format version ${version} is not one that this program reads; it reads ${READABLE_VERSIONS.join(' and ')}`,
    )
}

/** Parses the JSON of a published object; throws PublishedFault. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new PublishedFault(`${what} is not JSON: ${(cause as Error).message}`)
  }
}
