import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitFor } from '../harness/wait-for.ts'
import { rateSet } from '../stack/rate-sets.ts'
import { faultsOf, quantile, startLoad } from './load.ts'
import { helm, kubectl, tokenOf, untilReady } from './release.ts'
import { run } from './run.ts'

const staging = inject('staging')
const node = inject('node')
let token: string
beforeAll(async () => {
  token = await tokenOf(staging, 'dealer')
})

const figures: string[] = []
afterAll(() => process.stderr.write(`e2e: ${figures.join('\ne2e: ')}\n`))

const applyPlates = (dollars: string) =>
  kubectl(
    staging,
    ['apply', '--server-side', '--force-conflicts', '-f', '-'],
    dollars === '44.20' ? rateSet('au-vic/fy27.yaml') : rateSet('au-vic/fy27.yaml', [/44\.20/g, dollars]),
  )

/** Does something to the release under a steady load; no quote may fail, none may mix releases. */
async function underLoad(what: string, disturb: () => Promise<void>): Promise<void> {
  const load = startLoad(staging.pricingUrl, token)
  await sleep(2_000)
  await disturb()
  await sleep(3_000)
  const answers = await load.stop()
  const { failed, mixed } = faultsOf(answers)
  figures.push(`${what}: ${answers.length} quotes, ${failed.length} failed, ${mixed.length} mixed`)
  expect(failed).toEqual([])
  expect(mixed).toEqual([])
  expect(answers.length).toBeGreaterThan(100)
}

const restart = async (deployment: string) => {
  await kubectl(staging, ['rollout', 'restart', `deployment/${deployment}`])
  await kubectl(staging, ['rollout', 'status', `deployment/${deployment}`, '--timeout=240s'])
}

const killOne = async (component: string) => {
  const selector = `app.kubernetes.io/component=${component}`
  const [pod = ''] = (await kubectl(staging, ['get', 'pods', '-l', selector, '-o', 'name'])).trim().split('\n')
  await kubectl(staging, ['delete', pod, '--wait=true'])
  await kubectl(staging, ['rollout', 'status', `deployment/driveaway-${component}`, '--timeout=240s'])
}

test('rate changes: none fails, none is mixed, and every pod has each change soon', async () => {
  const seconds: number[] = []
  await underLoad('10 rate changes', async () => {
    for (let index = 0; index < 10; index += 1) {
      const since = performance.now()
      await applyPlates(index % 2 === 0 ? '45.20' : '44.20')
      await waitFor(
        'every pod to have loaded it',
        async () => {
          const path = "{range .status.conditions[?(@.type=='Loaded')]}{.status} {.observedGeneration}{end}"
          const [object, loaded] = await Promise.all([
            kubectl(staging, ['get', 'rateset', 'au-vic-fy27', '-o', 'jsonpath={.metadata.generation}']),
            kubectl(staging, ['get', 'rateset', 'au-vic-fy27', '-o', `jsonpath=${path}`]),
          ])
          if (loaded === `True ${object}`) return true
          throw new Error(`${loaded}, generation ${object}`)
        },
        { timeoutMs: 60_000 },
      )
      seconds.push((performance.now() - since) / 1000)
    }
  })
  const [median, p95] = [quantile(seconds, 0.5), quantile(seconds, 0.95)].map((each) => each.toFixed(1))
  figures.push(`apply to loaded by every pod: median ${median} s, p95 ${p95} s, with kubectl's own time`)
})

test('a rollout of the API', () => underLoad('API rollout', () => restart('driveaway-pricing')))

test('a rollout of the operator', () => underLoad('operator rollout', () => restart('driveaway-operator')))

test('an operator pod that is deleted', () => underLoad('operator pod deleted', () => killOne('operator')))

test('an API pod that is deleted', () => underLoad('API pod deleted', () => killOne('pricing')))

test('a helm upgrade that changes every pod', () =>
  underLoad('helm upgrade', async () => {
    const changed = ['--reuse-values', '--set-string', `podAnnotations.e2e=${Date.now()}`]
    await helm(staging, ['upgrade', 'staging', 'charts/driveaway', ...changed])
    await untilReady(staging)
  }))

const isThere = () =>
  kubectl(staging, ['get', '--raw', '/readyz', '--request-timeout=2s']).then(
    () => true,
    () => false,
  )

test('kube-apiserver away for 30 seconds, and a change after it', () =>
  underLoad('kube-apiserver away for 30 s', async () => {
    const manifest = '/etc/kubernetes/manifests/kube-apiserver.yaml'
    await run('docker', ['exec', node, 'mv', manifest, '/kube-apiserver.yaml'])
    await waitFor('kube-apiserver to be away', async () => !(await isThere()), { timeoutMs: 60_000 })
    await sleep(30_000)
    await run('docker', ['exec', node, 'mv', '/kube-apiserver.yaml', manifest])
    await waitFor('kube-apiserver to be back', isThere, { timeoutMs: 120_000 })
    await applyPlates('45.20')
    await kubectl(staging, ['wait', 'rateset/au-vic-fy27', '--for=condition=Loaded', '--timeout=120s'])
    await applyPlates('44.20')
  }))

test('NATS restarted', () =>
  underLoad('NATS restarted', async () => {
    await kubectl(staging, ['rollout', 'restart', 'statefulset/driveaway-nats'])
    await kubectl(staging, ['rollout', 'status', 'statefulset/driveaway-nats', '--timeout=240s'])
    await untilReady(staging)
  }))
