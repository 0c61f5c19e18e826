import { existsSync, lstatSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '#rates/published/canonical.ts'
import { parseReleaseKeys, readReleaseKey, type OwnReleaseKey } from '#rates/release/keys.ts'
import type { ReleaseKey } from '#rates/release/signed.ts'
import type { Logger } from '#runtime/log.ts'

/** The release keys of an environment at one moment. */
export interface ReleaseKeyRing {
  /**
   * The key that signs at a time in milliseconds since the epoch; undefined when there is none or its period is over.
   */
  signing(at: number): OwnReleaseKey | undefined
  /** The public keys; retired ones have the last day on which they signed. */
  published: readonly ReleaseKey[]
  /** The environment of the own key, also when it signs no more; absent without one. */
  environment?: string
}

export interface FollowedReleaseKeys {
  read(): ReleaseKeyRing
  stop(): void
}

export interface ReleaseKeyFiles {
  /** The private key as `driveaway release-key` writes it; empty: nothing is signed. */
  keyFile: string
  /** Further public keys to publish, as a JSON list; empty: only this environment's own key. */
  keysFile: string
  log: Pick<Logger, 'error' | 'info'>
}

export const NO_RELEASE_KEYS: ReleaseKeyRing = Object.freeze({ signing: () => undefined, published: [] })

// The files of a mounted Secret change together, by a rename in their folder; changes are collected for this long.
const SETTLE_MS = 100

/**
 * Reads the key files, and again when they change. A file that cannot be read is logged, and the last good keys stay.
 */
export async function followReleaseKeys(files: ReleaseKeyFiles): Promise<FollowedReleaseKeys> {
  const { keyFile, keysFile, log } = files
  const ours = [keyFile, keysFile].filter(Boolean)
  let ring = NO_RELEASE_KEYS
  let digest = ''
  const load = async () => {
    try {
      const now = sha256(ours.map((file) => readFileSync(file, 'utf8')).join('\n'))
      if (now === digest) return
      ring = await ringOf(files)
      digest = now
      log.info({ kids: ring.published.map(({ kid }) => kid) }, 'release keys')
    } catch (error) {
      log.error({ err: error }, 'could not read the release keys; keeping the previous keys')
    }
  }
  if (ours.length > 0) await load()
  const stop = watchKeys(ours, load, log)
  return { read: () => ring, stop }
}

/** Calls a moment after each change that may be one of these files; returns what ends that. */
function watchKeys(ours: readonly string[], changed: () => Promise<void>, log: ReleaseKeyFiles['log']): () => void {
  const watched = [...new Set(ours.map((file) => dirname(file)))].filter((folder) => existsSync(folder))
  let settle: NodeJS.Timeout | undefined
  const again = () => {
    settle ??= setTimeout(() => {
      settle = undefined
      void changed()
    }, SETTLE_MS)
  }
  const watchers: FSWatcher[] = watched.map((folder) =>
    watch(folder, (_event, name) => {
      if (name === null || !isOtherFile(join(folder, name), ours)) again()
    }).on('error', (error) =>
      log.error({ err: error, folder }, 'cannot watch the folder of the release keys: changes need a restart'),
    ),
  )
  return () => {
    clearTimeout(settle)
    for (const watcher of watchers) watcher.close()
  }
}

/** Whether a file is no key, nor a link or a folder by which a key is reached: a log may be in the same folder. */
function isOtherFile(path: string, ours: readonly string[]): boolean {
  if (ours.some((file) => join(file) === path)) return false
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
}

async function ringOf({ keyFile, keysFile }: ReleaseKeyFiles): Promise<ReleaseKeyRing> {
  const own = keyFile ? await readReleaseKey(keyFile) : undefined
  const listed = keysFile ? parseReleaseKeys(readFileSync(keysFile, 'utf8')) : []
  const known = own && listed.find(({ kid }) => kid === own.kid)
  if (own && known && (known.x !== own.published.x || known.environment !== own.environment))
    throw new Error(`${keysFile} and ${keyFile} have different keys with the kid ${own.kid}`)
  const until = known?.signsUntil
  return Object.freeze({
    signing: (at: number) => (until !== undefined && new Date(at).toISOString().slice(0, 10) > until ? undefined : own),
    published: own && !known ? [own.published, ...listed] : listed,
    ...(own && { environment: own.environment }),
  })
}
