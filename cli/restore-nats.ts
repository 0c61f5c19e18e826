import { readStream } from '#backup/files/folder.ts'
import { isKept, QUEUES, type StreamHead } from '#backup/streams/kept-streams.ts'
import { planStreams, writeStream, type StreamStep } from '#backup/streams/restore.ts'
import { connectNats } from './nats.ts'
import { counted } from './output.ts'
import type { Terminal } from './terminal.ts'

/** A backup whose files are intact. */
export interface OpenBackup {
  folder: string
  identities: readonly string[]
  /** Names of the streams in the backup. */
  streams: readonly string[]
}

/** The last line of `--dry-run`: nobody who restores a lost cluster should take its output for a restore. */
export const DRY_RUN = 'dry run: nothing was restored'

interface Asked {
  nats: string
  replace: boolean
  'dry-run': boolean
}

/**
 * Restores the streams of a backup into a NATS server. Returns 1 when the backup has no streams, they cannot be
 * decrypted, or other data is in their place.
 */
export async function restoreNats(backup: OpenBackup, asked: Asked, terminal: Terminal): Promise<number> {
  if (backup.streams.length === 0) {
    terminal.note('the backup does not include NATS: it was made without --nats')
    return 1
  }
  const heads = await headsOf(backup, terminal)
  if (!heads) return 1
  const connection = await connectNats(asked.nats, 'driveaway-restore')
  try {
    const steps = await planStreams(connection, heads)
    const others = steps.filter(({ action }) => action === 'differs')
    if (others.length > 0 && !asked.replace) return refused(others, terminal)
    for (const [at, step] of steps.entries()) {
      if (!asked['dry-run']) await writeStream(connection, step, await read(backup, step.name))
      terminal.write(lineOf(step, heads[at]?.state.messages ?? 0, asked['dry-run']))
    }
    if (asked['dry-run']) terminal.note(DRY_RUN)
    return 0
  } finally {
    await connection.close()
  }
}

/** Batches are processed as soon as they are in their queue, so jobs and vehicles are restored first. */
const lastQueues = (streams: readonly string[]): string[] =>
  [...streams].sort((a, b) => Number(QUEUES.includes(a)) - Number(QUEUES.includes(b)))

async function headsOf(backup: OpenBackup, terminal: Terminal): Promise<StreamHead[] | undefined> {
  const heads: StreamHead[] = []
  try {
    for (const name of lastQueues(backup.streams)) {
      const { head, close } = await read(backup, name)
      close()
      // Anyone who knows the recipient can encrypt a file: a stream that is not ours must never be overwritten.
      if (head.config.name !== name || !isKept(name))
        throw new Error(`the stream ${head.config.name} is not one that backups include`)
      heads.push(head)
    }
    return heads
  } catch (error) {
    terminal.note(`${backup.folder} cannot be restored: ${(error as Error).message}`)
    return undefined
  }
}

const read = ({ folder, identities }: OpenBackup, stream: string) => readStream(folder, stream, identities)

function refused(others: readonly StreamStep[], terminal: Terminal): number {
  for (const { name } of others) terminal.write(`${name}: the stream has other messages`)
  terminal.note('nothing was restored; --replace replaces these streams with those of the backup')
  return 1
}

const lineOf = ({ name, action }: StreamStep, messages: number, isDryRun: boolean): string =>
  action === 'nothing'
    ? `${name}: restored already`
    : `${name}: ${counted(messages, 'message')} ${isDryRun ? 'would be restored' : 'restored'}`
