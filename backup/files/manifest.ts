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
  /** Number of objects of each kind. */
  objects: Type.Record(Type.String(), Type.Integer()),
  /** Number of messages of each stream of NATS; absent when NATS was not backed up. */
  streams: Type.Optional(Type.Record(Type.String(), Type.Integer())),
})

/** The description of a backup, in clear text. It is written last, so an interrupted backup has none. */
export type Manifest = Static<typeof Manifest>

export const entryOf = (name: string, bytes: Uint8Array): Manifest['files'][number] => ({
  name,
  bytes: bytes.byteLength,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

/** Parses a manifest; throws an error that says what is wrong. */
export function parseManifest(text: string): Manifest {
  const value: unknown = JSON.parse(text)
  const version = (value as { formatVersion?: unknown } | null)?.formatVersion
  if (version !== FORMAT_VERSION)
    throw new Error(`${MANIFEST} has format ${String(version)}; this driveaway reads format ${FORMAT_VERSION}`)
  const [fault] = schemaFaults(Manifest, value)
  if (fault) throw new Error(`${MANIFEST}: ${fault.path}: ${fault.message}`)
  return value as Manifest
}

/** The fault of a file; undefined when its bytes are as written. */
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
