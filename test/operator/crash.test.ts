import { setTimeout as sleep } from 'node:timers/promises'
import type { V1ConfigMap, V1Lease } from '@kubernetes/client-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestKube } from '#runtime/kube/request.ts'
import { waitFor } from '../harness/wait-for.ts'
import { inventedSet } from './invented-set.ts'
import { startWorld, type RunningOperator, type World } from './world.ts'
import { startWriteGate, type Stop } from './write-gate.ts'

const STATES = ['AU_NSW', 'AU_VIC', 'AU_QLD', 'AU_SA', 'AU_WA', 'AU_TAS', 'AU_NT', 'AU_ACT']
// One shard a set, then the history, then the index.
const WRITES = STATES.length + 3
const STOPS: Stop[] = Array.from({ length: WRITES }, (_, index) => index + 1).flatMap((write) => [
  { write, isTaken: false },
  { write, isTaken: true },
])
/** After the first write, which is when some of the others are still to come. */
const LONGEST_DELAY_MS = 30
const READER_PAUSE_MS = 100
/** A busy machine stops an operator for seconds: with a short lease, another one would lead in the middle of a round. */
const LEASE_SECONDS = '15'
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/driveaway/leases/driveaway-operator'
type Gate = Awaited<ReturnType<typeof startWriteGate>>
type Look = (isMidway: boolean, index: number) => void
const isFlip = (stop: Stop) => stop.write === WRITES && stop.isTaken
let world: World
let round = 0

beforeAll(async () => {
  world = await startWorld()
}, 60_000)
afterAll(() => world.stop())

/** Reads what is published over and over, as a reader does: a shard that is gone means that the index is read again. */
function keepReading() {
  const torn: string[] = []
  let reads = 0
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const found = await readTwice().catch((error: Error) => void torn.push(error.message))
      if (found) reads++
      torn.push(...halves(found))
      // Looking without a pause took a third of the processor from the operators.
      await sleep(READER_PAUSE_MS)
    }
  })()
  return {
    stop: async () => {
      isDone = true
      await reading
      return { torn, reads }
    },
  }
}

const readTwice = () => world.published().catch(() => world.published())

type Published = Awaited<ReturnType<World['published']>>
const federalFeeIn = (sets: Published['sets']) => sets.get('au-fy27')?.spec.parameters?.[0]?.values[0]?.value

/** States whose example speaks of another federal fee than the one they are published with. */
function halves(found: Published | undefined): string[] {
  const federal = found && federalFeeIn(found.sets)
  return [...(found?.sets.values() ?? [])].flatMap(({ entry, spec }) => {
    const expected = spec.examples?.[0]?.expect['PLATES']
    return expected === undefined || expected === federal ? [] : [`${entry.name} expects ${expected}, not ${federal}`]
  })
}

/** Whether some shard was brought in by a release that never became the index: the kill was in the middle. */
async function isMidway(): Promise<boolean> {
  const { sequence } = (await world.published()).index
  const shards = await world.list<V1ConfigMap>('/api/v1/namespaces/driveaway/configmaps')
  return shards.some(({ metadata }) => {
    const isRates = metadata?.labels?.['rates.driveaway.dev/published'] === 'rates'
    return isRates && Number(metadata?.labels?.['rates.driveaway.dev/sequence']) > sequence
  })
}

/** All sets of one round; the federal one comes last, so that a round goes live in one flip. */
async function applyRound(round: number): Promise<void> {
  const fee = `${round}.00`
  for (const code of STATES) await world.applySet(inventedSet(code, { fee: 'AU/INVENTED_FEE', example: fee }))
  await world.applySet(inventedSet('AU', { fee }))
}

const isRound = async (round: number) => {
  const { sets } = await world.published()
  return sets.size === STATES.length + 1 && federalFeeIn(sets) === `${round}.00`
}

const leads = async ({ healthUrl }: RunningOperator) =>
  /^driveaway_operator_leader 1$/m.test(await (await fetch(`${healthUrl}/metrics`)).text())

/** Ends the lease of a killed operator at once, in place of the fifteen seconds after which it runs out. */
async function endLease(): Promise<void> {
  const { kubeConfig } = world.controlPlane
  const lease = await requestKube<V1Lease>(kubeConfig, { method: 'GET', path: LEASE })
  const body = { ...lease, spec: { ...lease.spec, holderIdentity: '' } }
  await requestKube(kubeConfig, { method: 'PUT', path: LEASE, body })
}

/**
 * Kills the operator that leads in the publication of each round, at the moment that `untilKill` settles, while a reader
 * looks. A second operator waits for the lease, as in an installation: to start one takes longer than to publish.
 */
async function killInRounds(untilKill: (gate: Gate, index: number) => Promise<void>, look: Look): Promise<void> {
  const gate = await startWriteGate(world.controlPlane, 'driveaway-operator')
  const operators: RunningOperator[] = []
  const start = async () => {
    const operator = await world.startOperator({ KUBECONFIG: gate.kubeconfig, LEASE_SECONDS })
    operators.push(operator)
    return operator
  }
  try {
    await killEach({ gate, start, untilKill, look })
  } finally {
    // After a failure too: an operator that is left behind would lead in the next test.
    await Promise.all(operators.map(({ child }) => child.stop()))
    gate.close()
  }
}

interface Rounds {
  gate: Gate
  start: () => Promise<RunningOperator>
  untilKill: (gate: Gate, index: number) => Promise<void>
  look: Look
}

async function killEach({ gate, start, untilKill, look }: Rounds): Promise<void> {
  let leader = await start()
  const first = (round += 1)
  await applyRound(first)
  await waitFor('the first round', () => isRound(first), { timeoutMs: 60_000 })
  let standBy = await start()
  const reader = keepReading()
  let looked: Awaited<ReturnType<typeof reader.stop>>
  try {
    for (let index = 0; index < STOPS.length; index++) {
      const next = (round += 1)
      const moment = untilKill(gate, index)
      await applyRound(next)
      await moment
      leader.child.kill('SIGKILL')
      await leader.child.exited
      look(await isMidway(), index)
      gate.open()
      await endLease()
      leader = standBy
      await waitFor(`round ${next} after kill ${index + 1}`, () => isRound(next), { timeoutMs: 60_000 })
      await waitFor('the stand-by to lead', () => leads(leader), { timeoutMs: 60_000 })
      standBy = await start()
    }
  } finally {
    looked = await reader.stop()
  }
  expect(looked.torn).toEqual([])
  expect(looked.reads).toBeGreaterThan(100)
}

test('an operator killed before or after any write of a publication leaves an index that points at nothing missing', async () => {
  await killInRounds(
    (gate, index) => gate.stopAt(STOPS[index]!),
    (midway, index) => {
      // Some shards are of a release that is not the index: the next operator finds it half written.
      const stop = STOPS[index]!
      expect(midway, JSON.stringify(stop)).toBe((stop.write > 1 || stop.isTaken) && !isFlip(stop))
    },
  )
}, 900_000)

test('an operator killed at random moments of twenty publications leaves an index that points at nothing missing', async () => {
  const delays: number[] = []
  let midway = 0
  await killInRounds(
    async (gate) => {
      await gate.nextWrite()
      const delay = Math.random() * LONGEST_DELAY_MS
      delays.push(Math.round(delay))
      await sleep(delay)
    },
    (isMidway) => (midway += Number(isMidway)),
  )
  // Without a kill between the first shard and the flip this test would have shown nothing.
  expect(midway, `kills at ${delays.join(', ')} ms`).toBeGreaterThan(0)
}, 900_000)
