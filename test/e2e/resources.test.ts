import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { startLoad } from './load.ts'
import { kubectl, tokenOf } from './release.ts'

const staging = inject('staging')
const node = inject('node')

interface Summary {
  pods: {
    podRef: { name: string; namespace: string }
    cpu?: { usageNanoCores?: number }
    memory?: { workingSetBytes?: number }
  }[]
}

/** Memory in MiB and CPU in thousandths of a core of each pod of the release, as the kubelet measures them. */
async function usage(): Promise<Map<string, string>> {
  const text = await kubectl(staging, ['get', '--raw', `/api/v1/nodes/${node}/proxy/stats/summary`])
  const { pods } = JSON.parse(text) as Summary
  const own = pods.filter(({ podRef }) => podRef.namespace === staging.name)
  return new Map(
    own.map(({ podRef, cpu, memory }) => {
      const mebibytes = Math.round((memory?.workingSetBytes ?? 0) / 2 ** 20)
      return [podRef.name, `${mebibytes} MiB, ${Math.round((cpu?.usageNanoCores ?? 0) / 1e6)}m CPU`]
    }),
  )
}

test('what each pod takes at rest and under load is printed', async () => {
  await sleep(20_000)
  const atRest = await usage()
  const load = startLoad(staging.pricingUrl, await tokenOf(staging, 'dealer'), { connections: 8, everyMs: 0 })
  await sleep(30_000)
  const underLoad = await usage()
  const answers = await load.stop()
  for (const [pod, resting] of atRest) {
    process.stderr.write(`e2e: ${pod}: ${resting} at rest; ${underLoad.get(pod) ?? 'gone'} under load\n`)
  }
  process.stderr.write(`e2e: the load was ${Math.round(answers.length / 30)} quotes a second\n`)
  expect(atRest.size).toBeGreaterThanOrEqual(8)
})
