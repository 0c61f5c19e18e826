import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptObject } from '../cluster/backup-objects.ts'
import type { KeptStream, StreamHead } from '../streams/kept-streams.ts'
import { entryOf, fileFault, FORMAT_VERSION, MANIFEST, parseManifest, type Manifest } from './manifest.ts'
import { open, seal } from './sealed.ts'
import { readStreamFile, writeStreamFile } from './stream-file.ts'

const CLUSTER_FILE = 'cluster.age'

/** Whether a folder can receive a backup: it does not exist or is empty. */
export const isFree = (folder: string): boolean => !existsSync(folder) || readdirSync(folder).length === 0

/** The content of a backup. */
export interface Kept {
  /** Objects of the cluster. */
  objects: readonly KeptObject[]
  /** Streams of NATS, one at a time; absent when NATS is not backed up. */
  streams?: AsyncIterable<KeptStream>
}

interface About {
  recipients: string[]
  takenAt: string
}

/**
 * Writes the content into a free folder, sealed to the recipients; the manifest is written last. If a part cannot be
 * read or written, the folder is emptied, so that the same command can be repeated.
 */
export async function writeBackup(folder: string, kept: Kept, about: About): Promise<Manifest> {
  if (!isFree(folder)) throw new Error(`${folder} is not empty: each backup needs a folder of its own`)
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return await writeFiles(folder, kept, about)
  } catch (error) {
    for (const file of readdirSync(folder)) rmSync(join(folder, file))
    if (made !== undefined) rmSync(made, { recursive: true })
    throw error
  }
}

async function writeFiles(
  folder: string,
  { objects, streams }: Kept,
  { recipients, takenAt }: About,
): Promise<Manifest> {
  const sealed = await seal(Buffer.from(JSON.stringify({ objects })), recipients)
  writeFileSync(join(folder, CLUSTER_FILE), sealed, { mode: 0o600, flag: 'wx' })
  const counts = Map.groupBy(objects, ({ object }) => object.kind)
  const written = await writeStreams(folder, streams, recipients)
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    takenAt,
    recipients,
    files: [entryOf(CLUSTER_FILE, sealed), ...written.files],
    objects: Object.fromEntries([...counts].map(([kind, all]) => [kind, all.length])),
    ...(streams && { streams: written.messages }),
  }
  const temporary = join(folder, `${MANIFEST}.tmp`)
  writeFileSync(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  renameSync(temporary, join(folder, MANIFEST))
  return manifest
}

async function writeStreams(folder: string, streams: Kept['streams'], recipients: readonly string[]) {
  const files: Manifest['files'] = []
  const messages: Record<string, number> = {}
  for await (const { head, bytes } of streams ?? []) {
    const { name } = head.config
    const file = streamFile(name)
    files.push(await writeStreamFile({ name: file, path: join(folder, file) }, { head, bytes }, recipients))
    messages[name] = head.state.messages
  }
  return { files, messages }
}

const streamFile = (stream: string): string => `nats-${stream.toLowerCase()}.age`

/** Reads one stream of NATS from a backup; throws when none of the identities opens it. */
export const readStream = (folder: string, stream: string, identities: readonly string[]) =>
  readStreamFile<StreamHead>(join(folder, streamFile(stream)), identities)

/** Reads the manifest of a folder and verifies every file against it; throws the first fault. */
export async function readBackup(folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, MANIFEST)))
    throw new Error(`${folder} has no ${MANIFEST}: it is not a backup, or it is incomplete`)
  const manifest = parseManifest(readFileSync(join(folder, MANIFEST), 'utf8'))
  for (const entry of manifest.files) {
    const path = join(folder, entry.name)
    const fault = existsSync(path) ? await fileFault(entry, path) : `${entry.name} is missing`
    if (fault !== undefined) throw new Error(`${folder}: ${fault}`)
  }
  return manifest
}

/** Reads the objects of a backup; throws when none of the identities opens them. */
export async function readObjects(folder: string, identities: readonly string[]): Promise<KeptObject[]> {
  const opened = await open(readFileSync(join(folder, CLUSTER_FILE)), identities)
  return (JSON.parse(Buffer.from(opened).toString('utf8')) as { objects: KeptObject[] }).objects
}
