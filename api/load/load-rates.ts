import { buildSnapshot, compileEach, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Program } from '#rates/engine/compile/program.ts'
import {
  decodeEach,
  pageNamesIn,
  parseRatesIndex,
  sameSet,
  type DecodedSet,
  type ShardTexts,
} from '#rates/published/decode.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { createGiveWay } from './give-way.ts'
import type { HeldRates } from './held.ts'
import type { ReadShards } from './load-published.ts'

/** Loads the rates that the text of an index names. */
export type LoadRates = (indexText: string, previous?: Snapshot) => Promise<HeldRates>

/**
 * Makes the loader that reads, verifies and compiles what a rates index names; it throws, changing nothing, when any
 * part of it does not hold. A set whose entry is the one that was loaded last is neither read nor verified again, and
 * requests are answered between one set and the next.
 *
 * A process that starts while the shards of a set are lost holds nothing of that set, and has nothing to keep: it serves
 * the other pricing codes, and those that need the set are unavailable until its shards are there.
 */
export function createRatesLoader(
  readShards: ReadShards,
  readPages: ReadShards = readShards,
  clock: Clock = systemClock,
): LoadRates {
  let known: ReadonlyMap<string, DecodedSet> = new Map()
  /** Names of the sets that were left out of the last load. */
  let leftOut: ReadonlySet<string> | undefined
  return async (indexText, previous) => {
    const index = parseRatesIndex(indexText, await readPages(pageNamesIn(indexText)))
    const fresh = index.sets.filter((entry) => sameSet(entry, known) === undefined)
    const texts = await readShards(fresh.flatMap((entry) => entry.shards.map((shard) => shard.name)))
    const giveWay = createGiveWay(clock)
    // What is served must not become unavailable: what was served before has to hold.
    const mayBeLost = (name: string) => leftOut?.has(name) ?? true
    const { loaded, faults } = await decode({ index, texts, known, mayBeLost }, giveWay)
    const unavailable = codesWithout(index, faults.keys())
    const [fault] = faults.values()
    const rest = new Map([...loaded].filter(([, { entry }]) => !unavailable.includes(entry.pricingCode)))
    // A process that runs follows all the same: of what it serves, only what was withdrawn is not in `rest`.
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

/** The pricing codes that have a faulty set, or import one directly or through other sets. */
function codesWithout({ sets }: RatesIndex, faulty: Iterable<string>): string[] {
  const lost = new Set(faulty)
  const reached = () =>
    sets.filter(({ name, imports }) => !lost.has(name) && Object.keys(imports).some((each) => lost.has(each)))
  for (let next = reached(); next.length > 0; next = reached()) for (const { name } of next) lost.add(name)
  return [...new Set(sets.flatMap(({ name, pricingCode }) => (lost.has(name) ? [pricingCode] : [])))].sort()
}
