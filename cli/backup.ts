import { parseArgs } from 'node:util'
import { gather, lackingIn } from '#backup/cluster/gather.ts'
import { recordBackup, type TakenBackup } from '#backup/cluster/record.ts'
import { isFree, writeBackup, type Kept } from '#backup/files/folder.ts'
import { isRecipient } from '#backup/files/sealed.ts'
import { gatherStreams } from '#backup/streams/gather.ts'
import { BACKUP_CONNECTION } from '#backup/streams/kept-streams.ts'
import { kubeOf, type Kube } from '#runtime/kube/kube.ts'
import { connectTo } from './cluster.ts'
import { WrongCall, type Help } from './help.ts'
import { connectNats } from './nats.ts'
import { counted } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'backup DIR --recipient KEY… [--nats URL] [--context NAME] [--namespace NAME] [--clients-namespace NAME] [--secret NAME]…',
  ],
  about:
    'Backs up what Git cannot restore after the loss of a cluster: the Secrets of the clients, the signing keys, the clients with their identities, and the record of admitted attestations; with --nats also waiting batches, jobs, vehicles and notices. Everything is encrypted to the recipients; only the time of the backup, the recipients and the number of objects are readable. Rates are not included: they come from Git.',
  options: [
    ['--recipient KEY', 'who can decrypt the backup: a public key of driveaway backup-key or age-keygen; repeatable'],
    ['--context NAME', 'a context of KUBECONFIG (default: the current context)'],
    ['--namespace NAME', 'the namespace of the release (default: that of the context, or driveaway)'],
    ['--clients-namespace NAME', 'the namespace of the client Secrets (default: driveaway-clients)'],
    ['--nats URL', 'also back up this NATS; NATS_SECRET_DIRECTORY contains the login'],
    ['--secret NAME', 'another Secret of the release, such as that of the attestation key; repeatable'],
  ],
  examples: [
    ['backup "backup-$(date +%F)" --recipient "$RECIPIENT" --context production', 'a backup named after today'],
    ['backup today --recipient "$RECIPIENT" --nats nats://127.0.0.1:4222', 'with NATS, through kubectl port-forward'],
  ],
  exits: { done: 'the backup is complete', refused: 'the backup is written, but a Secret does not exist' },
}

export const options = {
  recipient: { type: 'string', multiple: true, default: [] as string[] },
  context: { type: 'string' },
  namespace: { type: 'string' },
  'clients-namespace': { type: 'string', default: 'driveaway-clients' },
  nats: { type: 'string' },
  secret: { type: 'string', multiple: true, default: [] as string[] },
} as const

export const operands = { path: 'folder' } as const

/** Writes a backup of a release into a new folder; returns 1 when an expected part is missing. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const folder = freeFolder(positionals)
  const { recipient: recipients } = values
  checkRecipients(recipients)
  const { kubeConfig, namespace } = connectTo(values.context, values.namespace)
  const places = { release: namespace, clients: values['clients-namespace'] }
  const kube = kubeOf(kubeConfig)
  const objects = await gather(kube, places, values.secret)
  const about = { recipients, takenAt: new Date().toISOString() }
  const { objects: counts, streams } = await withNats(values.nats, (kept) =>
    writeBackup(folder, { objects, ...kept }, about),
  )
  for (const [kind, count] of Object.entries(counts)) terminal.write(counted(count, kind))
  for (const [stream, count] of Object.entries(streams ?? {})) terminal.write(`${stream}: ${counted(count, 'message')}`)
  if (!streams) terminal.note('this backup does not include NATS; --nats URL includes it')
  if (!counts['ShowroomClient']) terminal.note(`no client was found in the namespace ${namespace}`)
  const lacking = lackingIn(objects, values.secret)
  if (lacking.length === 0)
    await leaveTime(kube, namespace, { takenAt: about.takenAt, hasNats: streams !== undefined }, terminal)
  for (const secret of lacking) terminal.note(`not in the backup, because it does not exist: ${secret}`)
  return lacking.length > 0 ? 1 : 0
}

/** Records the time of the backup in the cluster. If that fails, a remark says so; the backup itself is complete. */
async function leaveTime(kube: Kube, namespace: string, taken: TakenBackup, terminal: Terminal): Promise<void> {
  try {
    await recordBackup(kube, namespace, taken)
  } catch (error) {
    terminal.note(
      `could not record the time of this backup in the cluster, so DriveawayBackupTooOld will fire: ${(error as Error).message}`,
    )
  }
}

function freeFolder([folder, ...more]: string[]): string {
  if (folder === undefined || more.length > 0) throw new WrongCall('expected one folder')
  if (!isFree(folder)) throw new WrongCall(`${folder} is not empty: each backup needs a folder of its own`)
  return folder
}

function checkRecipients(recipients: readonly string[]): void {
  if (recipients.length === 0)
    throw new WrongCall('--recipient is expected: who can decrypt the backup; driveaway backup-key makes a key pair')
  const wrong = recipients.find((each) => !isRecipient(each))
  if (wrong !== undefined) throw new WrongCall(`${wrong} is not a recipient of age; expected age1…`)
}

/** Calls `write` with the streams of a NATS server, or without streams when there is no address. */
async function withNats<T>(url: string | undefined, write: (kept: Pick<Kept, 'streams'>) => Promise<T>): Promise<T> {
  if (url === undefined) return write({})
  const connection = await connectNats(url, BACKUP_CONNECTION)
  try {
    return await write({ streams: gatherStreams(connection) })
  } finally {
    await connection.close()
  }
}
