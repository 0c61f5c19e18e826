import { batchOfVehicles, ITEMS } from './inventory/batches.ts'
import { processorSeconds } from './inventory/processor-time.ts'
import { upload } from './inventory/upload.ts'
import { startWorld, type World } from './inventory/world.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { percentile } from './rounds.ts'

const ROUNDS = 7
const BATCHES = 16
/** JetStream alone is faster, so it gets more batches: each round then takes about as long. */
const RAW_BATCHES = { alone: 160, withVehicles: 32 }

/** Uploads from the request to the completed job, compared with the same bytes through JetStream alone. */
export async function inventoryBatches(): Promise<Section> {
  const world = await startWorld()
  try {
    const rounds: Round[] = []
    // The first round warms up the compilers and creates the vehicles that later rounds replace.
    for (let round = -1; round < ROUNDS; round++) {
      const measured = await measureRound(world)
      if (round >= 0) rounds.push(measured)
    }
    return { title: 'Batches of inventory', how, figures: figures(rounds) }
  } finally {
    await world.stop()
  }
}

const how =
  `Eight clients upload batches of ${ITEMS} vehicles through the API program, nats-server and one worker program, with ` +
  'moderation of texts but not of pictures; timed from the first request to the last completed job. JetStream alone: one ' +
  'process publishes the same bytes, and another process consumes and acknowledges them, in a stream with the same settings ' +
  `on the same server (default \`sync_interval\`). Alternating rounds of about a second, the median of ${ROUNDS} ratios. An ` +
  'upload also writes its job three times, and each vehicle, by compare-and-set, to a bucket. The second peer also writes ' +
  'the vehicles, unconditionally.'

interface Measured {
  batchesPerSecond: number
  /** Microseconds of processor time per item, of our programs alone. */
  programs: number
  /** The same, including nats-server. */
  all: number
}

interface Round {
  ours: Measured
  /** Our programs without moderation of texts. */
  unmoderated: Measured
  raw: Measured
  rawWithVehicles: Measured
}

async function measureRound(world: World): Promise<Round> {
  const { raw, inventory } = world
  const batches = Array.from({ length: BATCHES }, (_, number) => batchOfVehicles(number))
  const unmoderated = batches.map((batch) => ({ ...batch, moderate_content: false }))
  const { alone, withVehicles } = RAW_BATCHES
  return {
    ours: await measure(world, inventory.pids, { batches: BATCHES, run: () => upload(world, batches) }),
    unmoderated: await measure(world, inventory.pids, { batches: BATCHES, run: () => upload(world, unmoderated) }),
    raw: await measure(world, raw.pids, { batches: alone, run: () => raw.run({ batches: alone, vehicles: false }) }),
    rawWithVehicles: await measure(world, raw.pids, {
      batches: withVehicles,
      run: () => raw.run({ batches: withVehicles, vehicles: true }),
    }),
  }
}

async function measure(
  { natsPid }: World,
  pids: readonly number[],
  { batches, run }: { batches: number; run: () => Promise<void> },
): Promise<Measured> {
  const taken = () => [processorSeconds(pids), processorSeconds([natsPid])] as const
  const [programsBefore, natsBefore] = taken()
  const start = performance.now()
  await run()
  const seconds = (performance.now() - start) / 1_000
  const [programsAfter, natsAfter] = taken()
  const perItem = (processorTime: number) => (processorTime * 1e6) / (batches * ITEMS)
  const programs = perItem(programsAfter - programsBefore)
  return { batchesPerSecond: batches / seconds, programs, all: programs + perItem(natsAfter - natsBefore) }
}

type Peer = 'raw' | 'rawWithVehicles'

const PEERS: Record<Peer, string> = {
  raw: 'JetStream alone',
  rawWithVehicles: 'JetStream alone, vehicles written too',
}

const QUANTITIES: readonly { what: string; of: keyof Measured; show: (value: number) => string }[] = [
  { what: 'batches in a second', of: 'batchesPerSecond', show: (rate) => rate.toFixed(1) },
  { what: 'an item, processor time of the programs', of: 'programs', show: (us) => `${us.toFixed(0)} µs` },
  { what: 'an item, processor time with nats-server', of: 'all', show: (us) => `${us.toFixed(0)} µs` },
]

function figures(rounds: readonly Round[]): Figure[] {
  const median = (of: (round: Round) => number) => percentile(rounds.map(of), 50)
  const compared = Object.entries(PEERS).flatMap(([peer, comparedWith]) =>
    QUANTITIES.map(({ what, of, show }): Figure => {
      const ours = median((round) => round.ours[of])
      const theirs = median((round) => round[peer as Peer][of])
      const ratio = median((round) => round.ours[of] / round[peer as Peer][of])
      const measured = `${show(ours)}; peer ${show(theirs)}`
      return { what, measured, ratio: ratioOf(ratio, 1), comparedWith, target: '', met: null }
    }),
  )
  const unmoderated = {
    what: 'an item whose texts are not moderated, processor time of the programs',
    measured: `${median((round) => round.unmoderated.programs).toFixed(0)} µs`,
    ratio: ratioOf(
      median((round) => round.unmoderated.programs / round.ours.programs),
      1,
    ),
    comparedWith: 'an item',
    target: '',
    met: null,
  }
  return [...compared, unmoderated]
}
