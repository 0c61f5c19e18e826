import { parseArgs } from 'node:util'
import { gather, lackingIn } from '#backup/cluster/gather.ts'
import { isFree, writeBackup } from '#backup/files/folder.ts'
import { isRecipient } from '#backup/files/sealed.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { connectTo } from './cluster.ts'
import { WrongCall, type Help } from './help.ts'
import { counted } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'backup DIR --recipient KEY… [--context NAME] [--namespace NAME] [--clients-namespace NAME] [--secret NAME]…',
  ],
  about:
    'Keeps what Git cannot bring back when a cluster is lost: the Secrets of the clients, the signing keys, the clients with their identities, and the record of what was admitted. Everything is sealed to the recipients; the files say in clear only when they were made, for whom, and how many objects they keep. Rates are not among them: they come from Git.',
  options: [
    ['--recipient KEY', 'who can open the backup: a public key of driveaway backup-key or age-keygen; once for each'],
    ['--context NAME', 'a context of KUBECONFIG (the current one)'],
    ['--namespace NAME', 'where the release is (that of the context, or driveaway)'],
    ['--clients-namespace NAME', 'where the Secrets of the clients are (driveaway-clients)'],
    ['--secret NAME', 'one more Secret of the release, such as that of the attestation key; once for each'],
  ],
  examples: [['backup "backup-$(date +%F)" --recipient "$RECIPIENT" --context production', 'a backup of today']],
  exits: { done: 'the backup is whole', refused: 'the backup is written, and lacks a Secret that is not there' },
}

export const options = {
  recipient: { type: 'string', multiple: true, default: [] as string[] },
  context: { type: 'string' },
  namespace: { type: 'string' },
  'clients-namespace': { type: 'string', default: 'driveaway-clients' },
  secret: { type: 'string', multiple: true, default: [] as string[] },
} as const

export const operands = { path: 'folder' } as const

/** Writes a backup of a release into a new folder; 1 where something that belongs into it is not there. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new WrongCall('one folder is expected')
  const { recipient: recipients } = values
  if (recipients.length === 0)
    throw new WrongCall('--recipient says who can open the backup; a key: driveaway backup-key')
  const wrong = recipients.find((each) => !isRecipient(each))
  if (wrong !== undefined) throw new WrongCall(`${wrong} is no recipient of age; expected age1…`)
  if (!isFree(folder)) throw new WrongCall(`${folder} is not empty: each backup has a folder of its own`)
  const { kubeConfig, namespace } = connectTo(values.context, values.namespace)
  const places = { release: namespace, clients: values['clients-namespace'] }
  const objects = await gather(kubeOf(kubeConfig), places, values.secret)
  const { objects: counts } = await writeBackup(folder, objects, { recipients, takenAt: new Date().toISOString() })
  for (const [kind, count] of Object.entries(counts)) terminal.write(counted(count, kind))
  if (!counts['ShowroomClient']) terminal.note(`no client was found in the namespace ${namespace}`)
  const lacking = lackingIn(objects, values.secret)
  for (const secret of lacking) terminal.note(`not in the backup, because it is not there: ${secret}`)
  return lacking.length > 0 ? 1 : 0
}
