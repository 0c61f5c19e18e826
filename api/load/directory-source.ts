import { existsSync, readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { checkAll } from '#rates/checks/check-all.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { describeFault } from '#rates/files/located.ts'
import { readRateSets } from '#rates/files/read.ts'
import { importKeyRing } from '../auth/key-ring.ts'
import { parseClients } from './clients-file.ts'
import { ALL_PARTS, type HeldRates, type Holder, type Part } from './held.ts'
import type { Source } from './source.ts'
import { createLatest, type Latest } from './latest.ts'
import { compileFiles } from './rate-set-files.ts'

export interface DirectorySourceOptions {
  /** Folder of rate set files, read with its subfolders. */
  directory: string
  /** YAML or JSON file of clients; undefined: nobody may call. */
  clientsFile: string | undefined
  holder: Holder
  /** Default: all. */
  parts?: readonly Part[]
}

// Editors and checkouts write several files in several steps, so changes are collected for this long.
const SETTLE_MS = 100

/**
 * Serves a folder of rate sets and follows its changes; tokens are signed with a key that exists as long as the
 * process.
 */
export async function startDirectorySource(options: DirectorySourceOptions): Promise<Source> {
  const { directory, clientsFile, holder, parts = ALL_PARTS } = options
  holder.swap({ keys: await importKeyRing(await newSigningKeys()) })
  const followed: Source[] = []
  if (parts.includes('rates')) {
    const load = () => holder.swap({ rates: loadFolder(directory, holder.read().rates?.snapshot) })
    followed.push(followFolder({ holder, part: 'rates', folder: directory }, load))
  }
  if (clientsFile === undefined) {
    holder.swap({ clients: parseClients('clients: []') })
  } else {
    const load = () => holder.swap({ clients: parseClients(readFileSync(clientsFile, 'utf8')) })
    followed.push(followFolder({ holder, part: 'clients', folder: dirname(clientsFile) }, load))
  }
  return { stop: async () => void (await Promise.all(followed.map((each) => each.stop()))) }
}

/**
 * No operator checks the files of a folder, so they are checked here; throws the first fault with file, line and path.
 */
function loadFolder(directory: string, previous: Snapshot | undefined): HeldRates {
  const files = readRateSets([directory])
  const [first, ...others] = checkAll(files)
  if (first) throw new Error(`${describeFault(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`)
  return compileFiles(files, previous)
}

interface Folder {
  holder: Holder
  part: Part
  folder: string
}

/** Watches the folder rather than the file: editors replace files, and a watch would stay with the replaced one. */
function followFolder({ holder, part, folder }: Folder, load: () => void): Source {
  if (!existsSync(folder)) throw new Error(`there is no folder ${folder}`)
  const latest: Latest<true> = createLatest<true>({
    load: () => Promise.resolve().then(load),
    reread: async () => latest.offer(true),
    onFault: (error) => holder.fail(part, error),
    retry: { baseMs: 1_000, capMs: 30_000 },
  })
  let settle: NodeJS.Timeout | undefined
  // Rate sets may be in subfolders; subfolders beside the clients file are ignored.
  const watcher = watch(folder, { recursive: part === 'rates' }, () => {
    clearTimeout(settle)
    settle = setTimeout(() => latest.offer(true), SETTLE_MS)
  })
  watcher.on('error', (error) => holder.fail(part, error))
  latest.offer(true)
  return {
    stop: async () => {
      clearTimeout(settle)
      watcher.close()
      await latest.stop()
    },
  }
}

async function newSigningKeys() {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: `process-${process.pid}-${Date.now()}` }
  return { keys: [{ state: 'current' as const, since: new Date().toISOString(), jwk }] }
}
