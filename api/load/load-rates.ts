import { buildSnapshot, compileEach, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Program } from '#rates/engine/compile/program.ts'
import { decodeEach, sameSet, type DecodedSet } from '#rates/published/decode.ts'
import { pageNamesIn, parseRatesIndex } from '#rates/published/parse-index.ts'
import type { ShardTexts } from '#rates/published/shard-text.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createGiveWay } from './give-way.ts'
import type { HeldRates } from './held.ts'
import type { ReadShards } from './shard-cache.ts'

/** Loads the rates that the text of an index names; the signal aborts the reading of its shards. */
export type LoadRates = (indexText: string, previous?: Snapshot, signal?: AbortSignal) => Promise<HeldRates>

/**
 * Creates the loader that reads, verifies and compiles the sets of a rates index. The loader throws, and changes
 * nothing, when any part is invalid. It does not read again a set whose entry is unchanged, and requests are answered
 * between two sets. A process that starts while the shards of a set are lost has no earlier version of that set: it
 * serves the other pricing codes, and those that need the set are unavailable until its shards are back.
 */
export function createRatesLoader(
  readShards: ReadShards,
  readPages: ReadShards = readShards,
  clock: Clock = systemClock,
): LoadRates {
  let known: ReadonlyMap<string, DecodedSet> = new Map()
  /** Names of the sets that the last load left out. */
  let leftOut: ReadonlySet<string> | undefined
  return async (indexText, previous, signal) => {
    const index = parseRatesIndex(indexText, await readPages(pageNamesIn(indexText), signal))
    const fresh = index.sets.filter((entry) => sameSet(entry, known) === undefined)
    const shardNames = fresh.flatMap((entry) => entry.shards.map((shard) => shard.name))
    const texts = await readShards(shardNames, signal)
    const giveWay = createGiveWay(clock)
    // A served set must not become unavailable, so a set that was loaded before may not be left out.
    const mayBeLost = (name: string) => leftOut?.has(name) ?? true
    const { loaded, faults } = await decode({ index, texts, known, mayBeLost }, giveWay)
    const unavailable = codesWithout(index, faults.keys())
    const [fault] = faults.values()
    const rest = new Map([...loaded].filter(([, { entry }]) => !unavailable.includes(entry.pricingCode)))
    // A running process follows the index all the same: of the served sets, only withdrawn ones are missing from
    // `rest`.
    const isStart = leftOut === undefined
    if (fault && isStart && ![...rest.values()].some(({ spec }) => spec.quotable !== false)) throw fault
    known = rest
    leftOut = new Set(index.sets.flatMap(({ name }) => (known.has(name) ? [] : [name])))
    const snapshot = await compile({ release: index.release, unavailable }, known, previous, giveWay)
    const loadedAt = clock.now().toISOString()
    return Object.freeze({ snapshot, sequence: index.sequence, loadedAt, ...(fault && { fault }) })
  }
}

interface Decoding {
  index: RatesIndex
  texts: ShardTexts
  known: ReadonlyMap<string, DecodedSet>
  mayBeLost: (name: string) => boolean
}

async function decode({ index, texts, known, mayBeLost }: Decoding, giveWay: () => Promise<void>) {
  const loaded = new Map<string, DecodedSet>()
  const faults = new Map<string, Error>()
  const onFault = ({ name }: RateSetEntry, fault: unknown) => {
    if (!mayBeLost(name)) throw fault
    faults.set(name, fault as Error)
  }
  for (const set of decodeEach(index, texts, known, onFault)) {
    loaded.set(set.entry.name, set)
    await giveWay()
  }
  return { loaded, faults }
}

async function compile(
  head: { release: string; unavailable: readonly string[] },
  known: ReadonlyMap<string, DecodedSet>,
  previous: Snapshot | undefined,
  giveWay: () => Promise<void>,
): Promise<Snapshot> {
  const sets = [...known.values()].map(({ entry: { name, digest, imports }, spec }) => ({
    name,
    digest,
    imports,
    spec,
  }))
  const programs: Record<string, Program> = {}
  for (const program of compileEach(sets, previous)) {
    programs[program.name] = program
    await giveWay()
  }
  return buildSnapshot({ ...head, sets }, { programs })
}

/** The pricing codes of the faulty sets, and of every set that imports one directly or indirectly. */
function codesWithout({ sets }: RatesIndex, faulty: Iterable<string>): string[] {
  const lost = new Set(faulty)
  const reached = () =>
    sets.filter(({ name, imports }) => !lost.has(name) && Object.keys(imports).some((each) => lost.has(each)))
  for (let next = reached(); next.length > 0; next = reached()) for (const { name } of next) lost.add(name)
  return [...new Set(sets.flatMap(({ name, pricingCode }) => (lost.has(name) ? [pricingCode] : [])))].sort()
}
