import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { RatesIndex } from '#rates/published/format.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { waitFor } from '../harness/wait-for.ts'
import { kubectl, type Release } from './release.ts'

/** What a rate set of a release says of itself. */
export interface SetState {
  digest: string
  attestation?: string
  /** By type, `<status> <reason>: <message>`; of the present generation. */
  conditions: Record<string, string>
}

interface Item {
  metadata: { name: string; generation: number }
  status?: {
    observedGeneration: number
    digest?: string
    attestation?: string
    conditions: { type: string; status: string; reason: string; message: string }[]
  }
}

/** Every rate set of a release by name, those left out whose newest generation the operator has not seen. */
export async function setsOf(release: Release): Promise<Map<string, SetState>> {
  const { items } = JSON.parse(await kubectl(release, ['get', 'ratesets', '-o', 'json'])) as { items: Item[] }
  const seen = items.filter(({ metadata, status }) => status?.observedGeneration === metadata.generation)
  return new Map(
    seen.map(({ metadata: { name }, status: { digest = '', attestation, conditions = [] } = {} as never }) => {
      const said = conditions.map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`])
      const conditionsByType = Object.fromEntries(said) as Record<string, string>
      return [name, { digest, ...(attestation && { attestation }), conditions: conditionsByType }]
    }),
  )
}

/** Waits until a rate set's `Ready` begins with this, and returns its state. */
export function untilReadySays(release: Release, name: string, wanted: string): Promise<SetState> {
  return waitFor(
    `${name} in ${release.name} to be ready=${wanted}`,
    async () => {
      const state = (await setsOf(release)).get(name)
      if (state?.conditions['Ready']?.startsWith(wanted)) return state
      throw new Error(state?.conditions['Ready'] ?? 'not seen yet')
    },
    { timeoutMs: 60_000, everyMs: 300 },
  )
}

/** Keeps every index of rates that a release publishes from now on, the present one first; `stop` gives them. */
export async function keepIndexes(release: Release): Promise<() => Promise<RatesIndex[]>> {
  const args = ['-n', release.name, 'get', 'configmap', 'driveaway-rates', '--watch']
  const output = ['-o', 'jsonpath={.data.index\\.json}{"\\n"}']
  const env = { ...process.env, KUBECONFIG: release.kubeconfig }
  const child = spawn(await ensureBinary('kubectl'), [...args, ...output], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kept: RatesIndex[] = []
  createInterface(child.stdout).on('line', (line) => void kept.push(JSON.parse(line) as RatesIndex))
  await waitFor('the present index', () => Promise.resolve(kept.length > 0), { timeoutMs: 30_000 })
  return async () => {
    child.kill()
    await once(child, 'close')
    return kept
  }
}
