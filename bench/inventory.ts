import type { Batch } from '../inventory/batch.ts'
import { batchOfVehicles, ITEMS } from './inventory/batches.ts'
import { processorSeconds } from './inventory/processor-time.ts'
import { upload } from './inventory/upload.ts'
import { startOtherWorld, startWorld, type World, type WorldWithRaw } from './inventory/world.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const ROUNDS = 11
/** Rounds that are not counted: V8 compiles, and the first of them creates the vehicles that the others replace. */
const WARM_UP = 10
const BATCHES = 32
/** JetStream alone is faster, so it gets more batches: each round then takes about as long. */
const RAW_BATCHES = { alone: 320, withVehicles: 64 }

/**
 * Uploads from the request to the completed job, compared with the same bytes through JetStream alone, and with the
 * checkout in the folder that the variable `BEFORE` names.
 */
export async function inventoryBatches(): Promise<Section> {
  const world = await startWorld()
  const { BEFORE } = process.env
  const before = BEFORE ? await startOtherWorld(BEFORE) : undefined
  try {
    const rounds: Round[] = []
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const measured = await measureRound(world, before)
      if (round >= 0) rounds.push(measured)
    }
    const unsent: Compared[] = []
    for (let round = 1; round <= ROUNDS; round++) unsent.push(await measureUnsent(round, world, before))
    return { title: 'Batches of inventory', how, figures: figures(rounds, unsent) }
  } finally {
    await before?.stop()
    await world.stop()
  }
}

const how =
  `Eight clients upload batches of ${ITEMS} vehicles through the API program, nats-server and one worker program, with ` +
  'moderation of texts but not of pictures; timed from the first request to the last completed job. JetStream alone: one ' +
  'process publishes the same bytes, and another process consumes and acknowledges them, in a stream with the same settings ' +
  `on the same server (\`sync_interval: always\`, as the chart has it). After ${WARM_UP} rounds of warm-up, alternating rounds of one to two seconds, the median of ${ROUNDS} ratios. An ` +
  'upload also writes its job, and each vehicle, with an order that is compared, to a bucket. The second peer also writes ' +
  'the vehicles, unconditionally, one by one. 1d15e88 is the state before all steps of speed, with a server of its own and ' +
  'the same settings.'

interface Measured {
  batchesPerSecond: number
  /** Microseconds of processor time per item, of our programs alone. */
  programs: number
  /** The same, including nats-server. */
  all: number
  /** The same, of the first program alone: of ours, the API. */
  first: number
}

interface Round {
  ours: Measured
  /** Our programs without moderation of texts. */
  unmoderated: Measured
  raw: Measured
  rawWithVehicles: Measured
  /** The programs of the other checkout. */
  before?: Measured
}

type Compared = Pick<Round, 'ours' | 'before'>

async function measureRound(world: WorldWithRaw, before: World | undefined): Promise<Round> {
  const { raw } = world
  const batches = Array.from({ length: BATCHES }, (_, number) => batchOfVehicles(number))
  const unmoderated = batches.map((batch) => ({ ...batch, moderate_content: false }))
  const { alone, withVehicles } = RAW_BATCHES
  return {
    ...(await uploadedToBoth(world, before, batches)),
    unmoderated: await uploaded(world, unmoderated),
    raw: await measure(world, raw.pids, { batches: alone, run: () => raw.run({ batches: alone, vehicles: false }) }),
    rawWithVehicles: await measure(world, raw.pids, {
      batches: withVehicles,
      run: () => raw.run({ batches: withVehicles, vehicles: true }),
    }),
  }
}

/** The same with vehicles that no round has sent before. */
function measureUnsent(round: number, world: World, before: World | undefined): Promise<Compared> {
  const batches = Array.from({ length: BATCHES }, (_, number) => batchOfVehicles(round * BATCHES + number))
  return uploadedToBoth(world, before, batches)
}

async function uploadedToBoth(world: World, before: World | undefined, batches: readonly Batch[]): Promise<Compared> {
  return { ...(before && { before: await uploaded(before, batches) }), ours: await uploaded(world, batches) }
}

const uploaded = (to: World, batches: readonly Batch[]): Promise<Measured> =>
  measure(to, to.inventory.pids, { batches: batches.length, run: () => upload(to, batches) })

async function measure(
  { natsPid }: World,
  pids: readonly number[],
  { batches, run }: { batches: number; run: () => Promise<void> },
): Promise<Measured> {
  const times = () => [pids, [natsPid], pids.slice(0, 1)].map(processorSeconds)
  const before = times()
  const start = performance.now()
  await run()
  const seconds = (performance.now() - start) / 1_000
  const [programs = 0, nats = 0, first = 0] = times().map(
    (after, at) => ((after - before[at]!) * 1e6) / (batches * ITEMS),
  )
  return { batchesPerSecond: batches / seconds, programs, all: programs + nats, first }
}

type Peer = 'raw' | 'rawWithVehicles' | 'before'

const PEERS: Record<Peer, string> = {
  raw: 'JetStream alone',
  rawWithVehicles: 'JetStream alone, vehicles written too',
  before: 'the same at 1d15e88',
}

/** DESIGN 8.2: the rate compared with JetStream alone, at least; the processor time compared with 1d15e88, at most. */
const TARGETS = { rate: 0.5, cpu: 0.25 }

function targetOf(peer: string, of: keyof Measured, ratio: number): Pick<Figure, 'target' | 'met'> {
  if (peer === 'rawWithVehicles' && of === 'batchesPerSecond')
    return { target: `${TARGETS.rate} or more`, met: ratio >= TARGETS.rate }
  if (peer === 'before' && of === 'programs') return { target: `at most ${TARGETS.cpu}`, met: ratio <= TARGETS.cpu }
  return { target: '', met: null }
}

const QUANTITIES: readonly { what: string; of: keyof Measured; show: (value: number) => string }[] = [
  { what: 'batches in a second', of: 'batchesPerSecond', show: (rate) => rate.toFixed(1) },
  { what: 'an item, processor time of the programs', of: 'programs', show: (us) => `${us.toFixed(0)} µs` },
  { what: 'an item, processor time with nats-server', of: 'all', show: (us) => `${us.toFixed(0)} µs` },
]

function figures(rounds: readonly Round[], unsent: readonly Compared[]): Figure[] {
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50)
  const peers = Object.entries(PEERS).filter(([peer]) => rounds.every((round) => round[peer as Peer]))
  const compared = peers.flatMap(([peer, comparedWith]) =>
    QUANTITIES.map(({ what, of, show }): Figure => {
      const ours = median((round) => round.ours[of])
      const theirs = median((round) => round[peer as Peer]![of])
      const ratio = median((round) => round.ours[of] / round[peer as Peer]![of])
      const measured = `${show(ours)}; peer ${show(theirs)}`
      return { what, measured, ratio: ratioOf(ratio, 1), comparedWith, ...targetOf(peer, of, ratio) }
    }),
  )
  return [
    ...compared,
    ...unsentItems(unsent),
    otherItem(
      UNMODERATED,
      'an item',
      rounds.map(({ unmoderated, ours }) => [unmoderated, ours]),
    ),
    ...PARTS.map(({ what, of }) =>
      otherItem(
        what,
        'an item, processor time of the programs',
        rounds.map(({ ours }) => [{ programs: of(ours) }, ours]),
      ),
    ),
  ]
}

/** Where the processor time of an item goes: how many pods of each a load needs follows from it. */
const PARTS: readonly { what: string; of: (ours: Measured) => number }[] = [
  { what: 'an item, processor time of the API alone', of: ({ first }) => first },
  { what: 'an item, processor time of nats-server alone', of: ({ programs, all }) => all - programs },
]

const which = (kind: string) => `an item ${kind}, processor time of the programs`
const UNSENT = which('that was never sent before')
const UNMODERATED = which('whose texts are not moderated')

type Programs = Pick<Measured, 'programs'>

function unsentItems(rounds: readonly Compared[]): Figure[] {
  const pairs = rounds.flatMap(({ ours, before }): [Measured, Measured][] => (before ? [[ours, before]] : []))
  return pairs.length > 0 ? [otherItem(UNSENT, PEERS.before, pairs)] : []
}

/** Processor time of our programs for other items, in each round beside that of a peer. */
function otherItem(what: string, comparedWith: string, rounds: readonly (readonly [Programs, Programs])[]): Figure {
  const median = percentile(
    rounds.map(([other]) => other.programs),
    50,
  )
  const ratio = percentile(
    rounds.map(([other, peer]) => other.programs / peer.programs),
    50,
  )
  return { what, measured: `${median.toFixed(0)} µs`, ratio: ratioOf(ratio, 1), comparedWith, target: '', met: null }
}
