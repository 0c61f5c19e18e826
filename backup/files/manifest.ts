import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { schemaFaults } from '#rates/checks/schema.ts'

export const MANIFEST = 'backup.json'
export const FORMAT_VERSION = 1

const FileEntry = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]*$' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const Manifest = Type.Object({
  formatVersion: Type.Literal(FORMAT_VERSION),
  takenAt: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' }),
  /** Who can open the files: public keys of age. */
  recipients: Type.Array(Type.String(), { minItems: 1 }),
  files: Type.Array(FileEntry, { minItems: 1 }),
  /** How many objects of each kind the backup keeps. */
  objects: Type.Record(Type.String(), Type.Integer()),
  /** How many messages of each stream of NATS; absent where NATS was not asked. */
  streams: Type.Optional(Type.Record(Type.String(), Type.Integer())),
})

/** What a backup says of itself, in clear; written last, so that a backup that was cut short has none. */
export type Manifest = Static<typeof Manifest>

export const entryOf = (name: string, bytes: Uint8Array): Manifest['files'][number] => ({
  name,
  bytes: bytes.byteLength,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** Reads a manifest; throws with what is wrong in it. */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text)
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion
  if (version !== FORMAT_VERSION)
    throw new Error(`${MANIFEST} has format ${String(version)}; this driveaway reads format ${FORMAT_VERSION}`)
  const [fault] = schemaFaults(Manifest, value)
  if (fault) throw new Error(`${MANIFEST}: ${fault.path}: ${fault.message}`)
  return value as Manifest
}

/** What is wrong with a file; undefined where its bytes are those that were written. */
export async function fileFault(
  { name, bytes, sha256 }: Manifest['files'][number],
  path: string,
): Promise<string | undefined> {
  const { size } = statSync(path)
  if (size !== bytes) return `${name} has ${size} bytes; the backup wrote ${bytes}`
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer)
  if (digest.digest('hex') !== sha256) return `${name} has changed since the backup: its digest differs`
  return undefined
}
