import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { hasKinds } from '#backup/cluster/gather.ts'
import { nameOf, type Namespaces } from '#backup/cluster/backup-objects.ts'
import type { Step } from '#backup/cluster/plan.ts'
import { planRestore, writeSteps } from '#backup/cluster/restore.ts'
import { readBackup, readObjects } from '#backup/files/folder.ts'
import type { Manifest } from '#backup/files/manifest.ts'
import { identitiesIn } from '#backup/files/sealed.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { connectTo } from './cluster.ts'
import { WrongCall, type Help } from './help.ts'
import { counted } from './output.ts'
import { DRY_RUN, restoreNats, type OpenBackup } from './restore-nats.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'restore DIR --identity FILE [--context NAME] [--namespace NAME] [--clients-namespace NAME] [--replace] [--dry-run]',
    'restore DIR --identity FILE --nats URL [--replace] [--dry-run]',
  ],
  about:
    'Restores a backup of driveaway backup into a cluster that has the namespaces and the kinds of the release, before the operator starts there. Existing clients keep their spec from Git and get only the identity to which tokens and jobs refer. If different objects of the same names exist, nothing is written without --replace. With --nats the command restores only NATS: run it after the chart is installed and before clients are let in.',
  options: [
    ['--identity FILE', 'the identity of driveaway backup-key or age-keygen'],
    ['--context NAME', 'a context of KUBECONFIG (default: the current context)'],
    ['--namespace NAME', 'the namespace of the release (default: that of the context, or driveaway)'],
    ['--clients-namespace NAME', 'the namespace of the client Secrets (default: driveaway-clients)'],
    ['--nats URL', 'the address of NATS; NATS_SECRET_DIRECTORY contains the login'],
    ['--replace', 'replace different Secrets, ConfigMaps and streams of the same names'],
    ['--dry-run', 'only say what the command would do; nothing is written'],
  ],
  examples: [
    ['restore backup-2026-11-23 --identity identity.txt --context production', 'into a new cluster'],
    ['restore backup-2026-11-23 --identity identity.txt --nats nats://127.0.0.1:4222', 'batches, jobs and vehicles'],
  ],
  exits: { done: 'everything in the backup is restored', refused: 'the backup is damaged, or different objects exist' },
}

export const options = {
  identity: { type: 'string', path: 'file' },
  context: { type: 'string' },
  namespace: { type: 'string' },
  'clients-namespace': { type: 'string', default: 'driveaway-clients' },
  nats: { type: 'string' },
  replace: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
} as const

export const operands = { path: 'folder' } as const

/** Restores a backup; returns 1 and writes nothing when it is damaged or other data is in its place. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [folder, ...more] = positionals
  if (folder === undefined || more.length > 0) throw new WrongCall('expected one folder')
  const identities = identitiesOf(values.identity)
  const manifest = await checked(folder, terminal)
  if (!manifest) return 1
  const backup = { folder, identities, streams: Object.keys(manifest.streams ?? {}) }
  if (values.nats !== undefined) return restoreNats(backup, { ...values, nats: values.nats }, terminal)
  return restoreCluster(backup, values, terminal)
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values']

async function restoreCluster(backup: OpenBackup, values: Values, terminal: Terminal): Promise<number> {
  const objects = await opened(backup, terminal)
  if (!objects) return 1
  const { kubeConfig, namespace } = connectTo(values.context, values.namespace)
  const places = { release: namespace, clients: values['clients-namespace'] }
  const kube = kubeOf(kubeConfig)
  if (!(await hasKinds(kube, places)))
    throw new WrongCall(`the cluster lacks the kinds: first install charts/driveaway-crds`)
  const steps = await planRestore(kube, places, objects)
  const others = steps.filter(({ action }) => action === 'differs')
  if (others.length > 0 && !values.replace) return refused(others, places, terminal)
  if (!values['dry-run']) await writeSteps(kube, places, steps)
  for (const line of doneLines(steps, places, values['dry-run'] ? WOULD : WORDS)) terminal.write(line)
  if (values['dry-run']) terminal.note(DRY_RUN)
  if (backup.streams.length > 0) terminal.note('to restore NATS, run the command with --nats once NATS runs')
  return 0
}

function identitiesOf(file: string | undefined): string[] {
  if (file === undefined) throw new WrongCall('--identity is expected: the file that decrypts the backup')
  const identities = identitiesIn(readFileSync(file, 'utf8'), file)
  if (identities.length === 0) throw new WrongCall(`${file} contains no identity of age (AGE-SECRET-KEY-…)`)
  return identities
}

/** The manifest of an intact backup. */
async function checked(folder: string, terminal: Terminal): Promise<Manifest | undefined> {
  try {
    const manifest = await readBackup(folder)
    terminal.note(`backup of ${manifest.takenAt}, encrypted to ${manifest.recipients.join(', ')}`)
    return manifest
  } catch (error) {
    terminal.note(`${folder} cannot be restored: ${(error as Error).message}`)
    return undefined
  }
}

async function opened({ folder, identities }: OpenBackup, terminal: Terminal) {
  try {
    return await readObjects(folder, identities)
  } catch (error) {
    terminal.note(`${folder} cannot be restored: ${(error as Error).message}`)
    return undefined
  }
}

function refused(others: readonly Step[], places: Namespaces, terminal: Terminal): number {
  for (const { kept } of others) terminal.write(`${nameOf(kept, places)}: a different object exists`)
  terminal.note('nothing was restored; --replace replaces these objects with those of the backup')
  return 1
}

const WORDS = { create: 'created', identify: 'identity restored', differs: 'replaced' }
const WOULD = { create: 'would be created', identify: 'identity would be restored', differs: 'would be replaced' }

function* doneLines(steps: readonly Step[], places: Namespaces, words: typeof WORDS): Generator<string> {
  for (const { kept, action } of steps) if (action !== 'nothing') yield `${nameOf(kept, places)}: ${words[action]}`
  const before = steps.filter(({ action }) => action === 'nothing')
  if (before.length > 0) yield `there already: ${counted(before.length, 'object')}`
}
