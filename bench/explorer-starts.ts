import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { parsedFiles } from '#rates/files/parsed-files.ts'
import { readRateSets } from '#rates/files/read.ts'
import { yamlFiles } from '#rates/files/yaml-files.ts'
import { kubeOf } from '#runtime/kube/kube.ts'
import { installKinds } from '../test/crds/install-kinds.ts'
import { startControlPlane, type ControlPlane } from '../test/harness/control-plane.ts'
import { ofLimit } from './of-limit.ts'
import type { Figure } from './report.ts'

export const STARTS = 7

/** The time of `driveaway explore` from its start to the address of the page, for each kind of side but a bundle. */
export async function explorerStarts(): Promise<Figure[]> {
  const first = await timesOf([], { XDG_CACHE_HOME: '/dev/null' })
  for (const file of yamlFiles(['rates/sets'])) parsedFiles().parse(readFileSync(file, 'utf8'), file)
  const later = await timesOf([])
  const revision = await timesOf(['git:HEAD'])
  const plane = await startControlPlane()
  try {
    const context = await withRateSets(plane)
    const cluster = await timesOf([context], { KUBECONFIG: plane.kubeconfig })
    const compared = await timesOf(['--against', context], { KUBECONFIG: plane.kubeconfig })
    return [
      ofLimit('`driveaway explore`, from its first start to the address of the page', first, 1000),
      ofLimit('the same of a later start', later, 1000),
      ofLimit('of a later start with a revision', revision, 1000),
      ofLimit('of a later start with a cluster', cluster, 1000),
      ofLimit('of a later start with the files beside those of a cluster', compared, 1000),
    ]
  } finally {
    await plane.stop()
  }
}

/** The command as it is installed. */
export const startExplorer = (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, ['cli/driveaway.js', 'explore', ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })

/** The address of the page, once the command says so. */
export async function addressOf(explorer: ChildProcess): Promise<string> {
  const [line] = (await once(explorer.stdout!, 'data')) as [Buffer]
  return /^http:\S+/.exec(line.toString())![0]
}

/** Milliseconds of each start until the command says its address; the first start is left out. */
async function timesOf(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number[]> {
  const times: number[] = []
  for (let start = 0; start <= STARTS; start++) {
    const startedAt = performance.now()
    const explorer = startExplorer(args, env)
    await addressOf(explorer)
    times.push(performance.now() - startedAt)
    explorer.kill()
    await once(explorer, 'exit')
  }
  return times.slice(1)
}

/** Creates every rate set of the repository in a cluster, and returns its context as a side. */
async function withRateSets({ kubeConfig }: ControlPlane): Promise<string> {
  await installKinds(kubeConfig)
  const kube = kubeOf(kubeConfig)
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'driveaway' } }, { fieldManager: 'bench' })
  for (const { name, spec } of readRateSets(['rates/sets'])) {
    const metadata = { name, namespace: 'driveaway' }
    await kube.create({ apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata, spec } as never)
  }
  return `context:${kubeConfig.getCurrentContext()}`
}
