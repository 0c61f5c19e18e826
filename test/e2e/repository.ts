import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { rateSet } from '../stack/rate-sets.ts'
import type { Release } from './release.ts'
import { outcomeOf, run, type Outcome } from './run.ts'

const root = join(import.meta.dirname, '../..')
const [FEDERAL, CHANGED] = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml'] as const

/** The overlay that a release is given, which is also what its context is called. */
export type Overlay = 'staging' | 'production-apac'

/** A Git repository of rates, and the access to the clusters, of those who publish them. */
export interface Repository {
  /** Runs the command in it as a shell does. */
  driveaway: (...args: string[]) => Promise<Outcome>
  /** Merges a pull request that sets the plates of a new car, in the rate set and in the examples that prove it. */
  mergePlates: (dollars: string) => Promise<void>
  commit: (subject: string) => Promise<void>
  /** Undoes the latest commits, by commits of their own. */
  revert: (count: number) => Promise<void>
  /** Applies an overlay as GitOps tools do: built by kustomize, applied server-side. */
  sync: (overlay: Overlay) => Promise<void>
  /** The digest that the files give the rate set of the pull requests, or the federal set that it imports. */
  digestOf: (name: 'au-fy27' | 'au-vic-fy27') => string
}

/** A repository in a folder that is there, with the committed rate sets and an overlay for each release. */
export async function startRepository(folder: string, releases: Record<Overlay, Release>): Promise<Repository> {
  const at = (path: string) => join(folder, path)
  const env = { KUBECONFIG: at('kubeconfig'), NO_COLOR: '1' }
  writeFileSync(env.KUBECONFIG, contextsOf(releases), { mode: 0o600 })
  mkdirSync(at('rates/overlays'), { recursive: true })
  cpSync(join(root, 'rates/sets'), at('rates/sets'), { recursive: true })
  for (const [overlay, { name }] of Object.entries(releases))
    copyOverlay(overlay, at(`rates/overlays/${overlay}`), name)
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Analyst', '-c', 'user.email=rates@example.com', ...args], { cwd: folder })
  const commit = async (subject: string) => {
    await git('add', 'rates')
    await git('commit', '--quiet', '--message', subject)
  }
  await git('init', '--quiet')
  await commit('rates as they are')
  return {
    commit,
    driveaway: (...args) =>
      outcomeOf(process.execPath, [join(root, 'cli/driveaway.js'), ...args], { env, cwd: folder }),
    mergePlates: async (dollars) => {
      writeFileSync(at(CHANGED), rateSet('au-vic/fy27.yaml', [/44\.20/g, dollars]))
      await commit(`plates at ${dollars}`)
    },
    revert: async (count) => void (await git('revert', '--no-edit', `HEAD~${count}..HEAD`)),
    sync: async (overlay) => {
      const args = ['apply', '--server-side', '--force-conflicts', '-k', `rates/overlays/${overlay}`]
      await run(await ensureBinary('kubectl'), ['--context', overlay, ...args], { env, cwd: folder })
    },
    digestOf: (name) => compileRateSets(readRateSets([at(FEDERAL), at(CHANGED)])).digests[name] ?? '',
  }
}

/** The overlay of the repository, in the namespace of the release: two of them share a cluster here. */
function copyOverlay(overlay: string, directory: string, namespace: string): void {
  cpSync(join(root, 'rates/overlays', overlay), directory, { recursive: true })
  const file = join(directory, 'kustomization.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('namespace: driveaway', `namespace: ${namespace}`))
}

interface Contexts {
  contexts: { name: string; context: object }[]
}

/** The cluster's kubeconfig with a context for each release, in its namespace. */
function contextsOf(releases: Record<Overlay, Release>): string {
  const config = parse(readFileSync(releases.staging.kubeconfig, 'utf8')) as Contexts
  const context = config.contexts[0]?.context ?? {}
  const contexts = Object.entries(releases).map(([name, { name: namespace }]) => ({
    ...{ name, context: { ...context, namespace } },
  }))
  return stringify({ ...config, contexts })
}
