import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubernetesObject } from '@kubernetes/client-node'
import { parse, parseAllDocuments } from 'yaml'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyObject } from '#runtime/kube/apply.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { commands } from '../../cli/commands.ts'
import { charts, render } from '../charts/render.ts'
import { installPublishedKinds, OF_GITOPS } from '../charts/published-kinds.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { applySurroundings } from '../operator/manifests.ts'

// The examples for GitOps, as they stand, given to an API server that has the kinds of Argo CD, Flux and External Secrets.
const docs = join(import.meta.dirname, '../../docs')
const folder = temporaryDirectory('gitops')
let plane: ControlPlane
let kubectl: (args: string[]) => string
beforeAll(async () => {
  plane = await startControlPlane()
  await applySurroundings(plane.kubeConfig)
  await installPublishedKinds(plane.kubeConfig, OF_GITOPS)
  for (const name of ['argocd', 'flux-system'])
    await applyObject(
      plane.kubeConfig,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { fieldManager: 'test' },
    )
  const binary = await ensureBinary('kubectl')
  kubectl = (args) =>
    execFileSync(binary, ['--kubeconfig', plane.kubeconfig, ...args], { encoding: 'utf8', stdio: 'pipe' })
}, 240_000)
afterAll(async () => {
  await plane?.stop()
  folder.remove()
})

const objectsOf = (file: string) =>
  parseAllDocuments(readFileSync(join(docs, 'gitops', file), 'utf8')).map(
    (each) => each.toJS() as KubernetesObject & { spec: Spec },
  )

interface Spec {
  [field: string]: unknown
  helm?: { valueFiles: string[] }
  sources?: { chart?: string; helm?: { valueFiles: string[] } }[]
  chart?: { spec: { chart: string; valuesFiles?: string[] } }
  values?: object
  path?: string
  source?: { path?: string }
}

test.each([
  ['argo-applications.yaml', 4],
  ['flux-release.yaml', 4],
  ['flux-kustomization.yaml', 1],
  ['external-secrets.yaml', 2],
])('a real API server takes every object of %s, and knows every field', (file, count) => {
  const said = kubectl(['create', '--validate=strict', '--dry-run=server', '-f', join(docs, 'gitops', file)])
  expect(
    said
      .trim()
      .split('\n')
      .map((line) => line.replace(/^.* /, '')),
  ).toEqual(Array.from({ length: count }, () => 'run)'))
})

test('the values and folders that the examples name are there', () => {
  const applications = objectsOf('argo-applications.yaml').map(({ spec }) => spec)
  const releases = objectsOf('flux-release.yaml').map(({ spec }) => spec)
  const values = [
    ...applications.flatMap(({ sources = [] }) => sources.flatMap(({ helm }) => helm?.valueFiles ?? [])),
    ...releases.flatMap(({ chart }) => chart?.spec.valuesFiles ?? []),
  ].filter((file) => !file.startsWith('$'))
  expect(values.length).toBeGreaterThan(2)
  expect(values.filter((file) => !existsSync(join(charts, 'driveaway', file)))).toEqual([])
  const folders = applications.flatMap(({ source }) => source?.path ?? [])
  expect(folders.filter((path) => !existsSync(path) && !existsSync(join(docs, 'gitops', path)))).toEqual([])
})

test('the values of the HelmRelease render the chart', async () => {
  const release = objectsOf('flux-release.yaml').find(({ metadata }) => metadata?.name === 'staging')!
  const file = join(folder.path, 'values.json')
  writeFileSync(file, JSON.stringify(release.spec.values))
  const files = release.spec.chart!.spec.valuesFiles!.flatMap((each) => ['--values', join(charts, 'driveaway', each)])
  const rendered = JSON.stringify(await render('driveaway', 'driveaway', [...files, '--values', file]))
  expect(rendered).toContain('https://pricing.staging.example.com')
})

test('an overlay gives a client the showrooms and the grants of its environment', () => {
  const overlay = join(docs, 'gitops/clients/production-apac')
  kubectl(['apply', '--server-side', '-k', overlay])
  const client = JSON.parse(kubectl(['get', 'showroomclient', 'northside', '-n', 'driveaway', '-o', 'json'])) as {
    spec: object
  }
  expect(client.spec).toMatchObject({
    ...{ showroomCodes: ['SYD01', 'SYD02'], grants: ['pricing:quote', 'inventory:write'] },
  })
})

interface Step {
  name?: string
  run?: string
}

/** A checkout with a remote, as a runner has it, and stand-ins for the two commands that speak with others. */
function runner(promoted: string, exit: number) {
  const at = (path: string) => join(folder.path, path)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at('checkout'), encoding: 'utf8', stdio: 'pipe' })
  for (const path of ['bin', 'checkout/rates/overlays/production-apac']) mkdirSync(at(path), { recursive: true })
  const write = (name: string, script: string) => {
    writeFileSync(at(`bin/${name}`), `#!/bin/bash\n${script}\n`)
    chmodSync(at(`bin/${name}`), 0o755)
  }
  write(
    'npx',
    `echo "$@" > ${at('npx')}; echo '${promoted}' > rates/overlays/production-apac/patch.yaml; echo 'what was promoted'; exit ${exit}`,
  )
  write('gh', `echo "$@" >> ${at('gh')}; [ "$2" = list ] && grep -c create ${at('gh')}; true`)
  execFileSync('git', ['init', '--quiet', '--bare', at('remote')])
  git('init', '--quiet', '--initial-branch=main')
  writeFileSync(at('checkout/rates/overlays/production-apac/kustomization.yaml'), 'kind: Kustomization')
  git('add', '.')
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'first')
  git('remote', 'add', 'origin', at('remote'))
  return {
    at,
    git,
    setPromoted: (text: string, code: number) =>
      write(
        'npx',
        `echo "$@" > ${at('npx')}; echo '${text}' > rates/overlays/production-apac/patch.yaml; exit ${code}`,
      ),
  }
}

test('the job of the promotion opens one pull request with what was promoted, and replaces it', async () => {
  const { jobs } = parse(readFileSync(join(docs, 'examples/promotion-pull-request.yaml'), 'utf8')) as {
    jobs: { promote: { env: Record<string, string>; steps: Step[] } }
  }
  const { at, git, setPromoted } = runner('one', 1)
  const env = {
    ...process.env,
    ...jobs.promote.env,
    PATH: `${at('bin')}:${process.env['PATH']}`,
    STAGING_KUBECONFIG: 'x',
  }
  const here = {
    cwd: at('checkout'),
    env: { ...env, KUBECONFIG: at('kubeconfig'), TOLD: at('told') },
    stdio: 'pipe' as const,
  }
  const runs = jobs.promote.steps.filter(({ name }) => name).map(({ run = '' }) => run)
  const work = () => runs.forEach((run) => execFileSync('bash', ['-e', '-c', run], here))
  work()
  const branch = 'promotion/production-apac'
  const promoted = () => git('show', `origin/${branch}:rates/overlays/production-apac/patch.yaml`).trim()
  expect(promoted()).toBe('one')
  const [name = '', ...args] = readFileSync(at('npx'), 'utf8').trim().replace('driveaway ', '').split(' ')
  const { options } = await commands[name]!.load()
  expect(args.filter((arg) => arg.startsWith('--')).filter((arg) => !(arg.slice(2) in options!))).toEqual([])
  git('switch', '--quiet', 'main')
  setPromoted('two', 0)
  work()
  expect(promoted()).toBe('two')
  const asked = readFileSync(at('gh'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
  expect(asked).toEqual(['pr list', 'pr create', 'pr list', 'pr edit'])
  git('switch', '--quiet', 'main')
  setPromoted('three', 3)
  expect(work).toThrow()
})
