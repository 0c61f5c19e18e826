import { buildSnapshot, compileEach, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Program } from '#rates/engine/program.ts'
import { decodeEach, pageNamesIn, parseRatesIndex, sameSet, type LoadedSet } from '#rates/published/decode.ts'
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
 */
export function createRatesLoader(
  readShards: ReadShards,
  readPages: ReadShards = readShards,
  clock: Clock = systemClock,
): LoadRates {
  let known: ReadonlyMap<string, LoadedSet> = new Map()
  return async (indexText, previous) => {
    const index = parseRatesIndex(indexText, await readPages(pageNamesIn(indexText)))
    const fresh = index.sets.filter((entry) => sameSet(entry, known) === undefined)
    const texts = await readShards(fresh.flatMap((entry) => entry.shards.map((shard) => shard.name)))
    const giveWay = createGiveWay(clock)
    const loaded = new Map<string, LoadedSet>()
    for (const set of decodeEach(index, texts, known)) {
      loaded.set(set.entry.name, set)
      await giveWay()
    }
    const sets = [...loaded.values()].map(({ entry, spec }) => {
      const { name, digest, imports } = entry
      return { name, digest, imports, spec }
    })
    const programs: Record<string, Program> = {}
    for (const program of compileEach(sets, previous)) {
      programs[program.name] = program
      await giveWay()
    }
    const snapshot = buildSnapshot({ release: index.release, sets }, { programs })
    known = loaded
    return Object.freeze({ snapshot, sequence: index.sequence, loadedAt: clock.now().toISOString() })
  }
}