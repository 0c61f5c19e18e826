import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { launchProgram } from '../../tools/stack/programs.ts'
import { writeContexts } from '../../tools/stack/contexts.ts'
import { installPublishedKinds } from '../charts/published-kinds.ts'
import { startControllers } from '../harness/controllers.ts'
import { startControlPlane, type ControlPlane } from '../harness/control-plane.ts'
import { askedBy, programsOn } from '../harness/programs.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { helmTestIn } from '../e2e/helm-test.ts'
import { follow, type Step } from './follow.ts'
import { differing, leftBy } from './left-by-page.ts'
import { blocksOf, filesOf } from './page.ts'
import { startShell, terminalEnvironment, type Shell } from './shell.ts'

// The page on a real API server with real controllers and the real helm, without nodes: pods are made, and wait.
const root = join(import.meta.dirname, '../..')
const page = 'docs/installing.md'
const text = readFileSync(join(root, page), 'utf8')
const folder = temporaryDirectory('installing')
const inFolder = (path: string) => join(folder.path, path)
const clone = inFolder('driveaway')

let plane: ControlPlane
let controllers: { stop(): Promise<void> }
let programs: { stop(): Promise<void> }[] = []
let shell: Shell
/** What the cluster had before the first command of the page. */
let before: string[]

beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  mkdirSync(inFolder('bin'))
  for (const name of ['kubectl', 'helm']) symlinkSync(await ensureBinary(name), inFolder(`bin/${name}`))
  plane = await startControlPlane()
  controllers = await startControllers(plane)
  await installPublishedKinds(plane.kubeConfig)
  writeContexts(inFolder('kubeconfig'), { cluster: plane.kubeconfig })
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'pricing.example' }])
  writeFileSync(join(clone, 'tls.key'), key)
  writeFileSync(join(clone, 'tls.crt'), cert)
  const PATH = `${inFolder('bin')}:${process.env['PATH']}`
  const own = {
    HELM_CACHE_HOME: inFolder('helm'),
    HELM_CONFIG_HOME: inFolder('helm'),
    HELM_DATA_HOME: inFolder('helm'),
  }
  shell = startShell(clone, terminalEnvironment({ KUBECONFIG: inFolder('kubeconfig'), PATH, ...own }))
  before = await waitFor('the roles of Kubernetes', async () => {
    const found = await ofTheCluster()
    return found.includes('clusterrole/view') && found.includes('namespace/kube-system') && found
  })
}, 300_000)
afterAll(async () => {
  await stopPrograms()
  await shell?.close()
  await controllers?.stop()
  await plane?.stop()
  folder.remove()
})

const namesIn = (output: string) => output.trim().split('\n').filter(Boolean).sort()
const kindOf = (name: string) => name.replace(/\..*?\//, '/')
/** Whatever has no namespace, and is neither a program's nor made by Kubernetes for each request. */
const ofTheCluster = async () =>
  namesIn(
    await shell.run(
      'kubectl api-resources --verbs=list --namespaced=false -o name | paste -sd, | xargs kubectl get -o name --ignore-not-found',
    ),
  ).map(kindOf)

/** What a namespace holds, without what Kubernetes puts into every namespace. */
async function contentOf(namespace: string): Promise<string[]> {
  const all = `kubectl api-resources --verbs=list --namespaced -o name | grep -v ^events | paste -sd,`
  const names = await shell.run(`${all} | xargs kubectl get -n ${namespace} -o name --ignore-not-found`)
  return namesIn(names)
    .map(kindOf)
    .filter((name) => name !== 'serviceaccount/default')
}

/** The key that was printed, in the file whose lines the page shows. */
function writeOwnValues(printed: string): void {
  const x = /"x":"([\w-]+)"/.exec(printed)?.[1]
  const own = filesOf(text).find(({ name }) => name === 'own.yaml')?.text ?? ''
  expect(own).toContain('x: …')
  writeFileSync(join(clone, 'own.yaml'), own.replace('…', x ?? ''))
}

/** Programs under the accounts, and so with the rights, that the chart made; they take what is applied without a promotion. */
async function startPrograms(): Promise<void> {
  const account = (name: string) => plane.kubeconfigFor(`system:serviceaccount:driveaway:driveaway-${name}`)
  const plan = askedBy((await programsOn(plane)).filter(({ name }) => ['operator', 'pricing'].includes(name)))
  const started = plan.map(({ name, env, ...program }) => {
    const KUBECONFIG = account(name === 'operator' ? 'operator' : 'api')
    return launchProgram({ ...program, name, env: { ...env, KUBECONFIG } }, { root: clone, logDirectory: folder.path })
  })
  programs = await Promise.all(started)
  // A name that begins with kube_ would stand among those of kube-state-metrics.
  for (const { healthPort } of plan) {
    const shown = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text()
    const names = [...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !/^(driveaway|nodejs|process)_/.test(name))).toEqual([])
  }
}

const stopPrograms = () => Promise.all(programs.splice(0).map((each) => each.stop()))

/** The pods that the controllers made, which the restricted profile of the namespace let through. */
const podsAreMade = () =>
  waitFor('a pod of each component', async () => {
    const pods = await shell.run('kubectl get pods -n driveaway -o name')
    for (const component of ['operator', 'pricing', 'inventory', 'worker', 'nats-0'])
      if (!pods.includes(`driveaway-${component}`)) return false
    return true
  })

const can = (who: string, what: string) =>
  shell.run(`kubectl auth can-i ${what} ${who}`).then(
    (said) => said.trim(),
    () => 'no',
  )

/** The controller of Kubernetes adds the roles of the chart to those that everybody has. */
const viewAndEditAreJoined = () =>
  waitFor('both kinds in view and edit', async () => {
    for (const [role, verb] of [
      ['view', 'watch'],
      ['edit', 'delete'],
    ] as const) {
      const rules = await shell.run(
        `kubectl get clusterrole ${role} -o jsonpath='{.rules[?(@.apiGroups[0]=="rates.driveaway.dev")]}'`,
      )
      if (!rules.includes('ratesets') || !rules.includes('showroomclients') || !rules.includes(verb)) return false
    }
    return true
  })

async function mayBackUp(answer: string): Promise<void> {
  const account = '--as=system:serviceaccount:backup:backup'
  for (const namespace of ['driveaway', 'driveaway-clients'])
    expect(await can(account, `list secrets -n ${namespace}`)).toBe(answer)
}

const steps: Step[] = [
  { begins: './driveaway attestation-key', shows: writeOwnValues },
  { begins: 'helm install driveaway-crds', shows: viewAndEditAreJoined },
  { begins: 'kubectl create namespace driveaway' },
  { begins: 'kubectl label namespace driveaway' },
  { begins: 'kubectl create secret tls driveaway-tls' },
  { begins: 'helm install production-apac charts/driveaway', shows: podsAreMade },
  {
    begins: 'kubectl apply --server-side -k rates/overlays/production-apac',
    shows: async (output) => {
      expect(output).toContain('au-vic-fy27 serverside-applied')
      await shell.run(`kubectl apply --server-side -n driveaway -f ${join(root, 'test/demo/clients')}`)
      await startPrograms()
    },
  },
  {
    // No node runs the pod; on a cluster with nodes the end-to-end suite runs this line of the page.
    begins: helmTestIn(text),
    by: async (command) => {
      await expect(shell.run(`${command} --timeout 5s`)).rejects.toThrow('timed out')
      return shell.run('kubectl get pod driveaway-release-test -n driveaway')
    },
  },
  {
    begins: 'kubectl create rolebinding on-call-view',
    shows: async () =>
      expect(await can('--as=x --as-group=on-call', 'list ratesets.rates.driveaway.dev -n driveaway')).toBe('yes'),
  },
  {
    begins: 'kubectl create rolebinding on-call-status',
    shows: async () =>
      expect(await can('--as=x --as-group=on-call', 'get pods/x --subresource=proxy -n driveaway')).toBe('yes'),
  },
  { begins: 'kubectl create rolebinding backup -n driveaway ', before: () => mayBackUp('no') },
  { begins: 'kubectl create rolebinding backup -n driveaway-clients', shows: () => mayBackUp('yes') },
  { begins: 'helm uninstall production-apac', before: upgradeAsThePageSays, shows: comparePageWithWhatIsLeft },
  { begins: 'kubectl delete namespace', shows: bothAreGone },
  { begins: 'helm uninstall driveaway-crds' },
  { begins: 'kubectl delete crd', shows: async () => expect(await ofTheCluster()).toEqual(before) },
]

const uidsOf = async (selected: string) =>
  namesIn(
    await shell.run(
      `kubectl get configmaps -n driveaway ${selected} -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}'`,
    ),
  )

/** A lost index takes nothing with it: the operator makes it again from the shards, which have no owner (decision 0075). */
async function loseTheIndex(): Promise<void> {
  const shards = () =>
    uidsOf('-l rates.driveaway.dev/published=rates').then((names) => names.filter((name) => name.startsWith('rates-v')))
  const [published, index] = [await shards(), await uidsOf('--field-selector metadata.name=driveaway-rates')]
  expect(published.length).toBeGreaterThan(20)
  await shell.run('kubectl delete configmap driveaway-rates -n driveaway')
  await waitFor('another index', async () => {
    const found = await uidsOf('--field-selector metadata.name=driveaway-rates')
    return found.length === 1 && found[0] !== index[0]
  })
  expect(await shards()).toEqual(published)
}

async function upgradeAsThePageSays(): Promise<void> {
  await loseTheIndex()
  const [upgrade] = blocksOf(readFileSync(join(root, 'docs/upgrading.md'), 'utf8'))
  expect(upgrade?.commands).toHaveLength(2)
  for (const command of upgrade?.commands ?? []) expect(await shell.run(command)).toContain('REVISION: 2')
  await stopPrograms()
}

/** Objects that the page does not name, and names of the page without an object. */
async function comparePageWithWhatIsLeft(): Promise<void> {
  await waitFor(
    'the pods to go',
    async () => namesIn(await shell.run('kubectl get pods -n driveaway -o name')).length === 1,
  )
  const page = leftBy(text)
  expect(Object.keys(page)).toEqual(['driveaway', 'driveaway-clients'])
  for (const [namespace, patterns] of Object.entries(page)) {
    const found = differing(await contentOf(namespace), patterns)
    expect({ namespace, ...found }).toEqual({ namespace, unknown: [], missing: [] })
  }
}

/** Nothing of both namespaces is left, nor of what they had. */
async function bothAreGone(): Promise<void> {
  expect(
    namesIn(await shell.run('kubectl get namespaces -o name')).filter((name) => name.includes('driveaway')),
  ).toEqual([])
  expect(await shell.run('kubectl get ratesets,showroomclients,pods,persistentvolumeclaims -A -o name')).toBe('')
}

test(
  'the commands of the page install, test, upgrade and remove a region, and leave what the page says',
  { timeout: 900_000 },
  () => follow({ page, shell, steps }),
)
