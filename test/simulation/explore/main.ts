import { randomInt } from 'node:crypto'
import { takeOverEntropy } from '../entropy.ts'
import { MUTANTS } from '../mutants/list.ts'
import { searchMutants } from '../mutants/search.ts'
import { described } from '../shorten.ts'
import { simulate } from '../simulate.ts'
import { runWorker } from './run-worker.ts'
import type { Tally } from './worker.ts'

// make simulate SECONDS=… SEED=…: seed after seed until the time is over, or COUNT seeds are done, then every mutant;
// KEEP replays one seed.

const seconds = Number(process.env['SECONDS'] || 60)
const seed = Number(process.env['SEED'] || randomInt(1, 2 ** 30))
const count = Number(process.env['COUNT'] || Infinity)
const keep = process.env['KEEP'] || undefined
const workers = Number(process.env['WORKERS'] || 2)
const unchecked = (process.env['UNCHECKED'] || '').split(',').filter(Boolean)
const emphasis = process.env['EMPHASIS'] || undefined
const wanted = process.env['MUTANTS']
const mutants = wanted === undefined ? MUTANTS : MUTANTS.filter(({ name }) => wanted.split(',').includes(name))

if (keep === undefined) process.exitCode = (await explore()) ? 0 : 1
else process.exitCode = (await replay(keep.split(',').filter(Boolean))) ? 0 : 1

/** One seed with nothing but the edits and faults that are named; with none named, all of them. */
async function replay(ids: readonly string[]): Promise<boolean> {
  takeOverEntropy().begin(1)
  const allowed = ids.length > 0 ? (id: string) => ids.includes(id) : () => true
  const outcome = await simulate(seed, {
    allowed,
    emphasis,
    traced: Number(process.env['TRACED'] || 200),
    unchecked: new Set(unchecked),
  })
  console.log(described(seed, outcome))
  return outcome.violation === undefined
}

async function explore(): Promise<boolean> {
  console.log(`seed ${seed}, ${seconds} s in ${workers} processes; SEED=${seed} begins with the same one`)
  const startedAt = Date.now()
  const found = await exploreAll(startedAt + seconds * 1000)
  const took = (Date.now() - startedAt) / 1000
  const kinds = [...found.counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${kind} ${count}`)
  console.log(
    `${found.seeds} seeds in ${took.toFixed(0)} s, ${Math.round(found.states.size / took)} new states a second`,
  )
  console.log(`edits and faults: ${kinds.join(', ')}`)
  const caught = await searchMutants(mutants, { seed, workers, unchecked })
  console.log(
    `${found.states.size} distinct stored states, ${found.calls} calls, ${found.crashes} crashes, ` +
      `${found.violations} violations, mutants ${caught}/${mutants.length}`,
  )
  return found.violations === 0 && caught === mutants.length
}

async function exploreAll(until: number) {
  const found = {
    states: new Set<number>(),
    counts: new Map<string, number>(),
    seeds: 0,
    calls: 0,
    crashes: 0,
    violations: 0,
  }
  const take = ({ seeds, calls, crashes, counts, states, violation }: Tally) => {
    found.seeds += seeds
    found.calls += calls
    found.crashes += crashes
    for (const [kind, count] of counts) found.counts.set(kind, (found.counts.get(kind) ?? 0) + count)
    for (const state of states) found.states.add(state)
    if (!violation) return
    found.violations += 1
    console.log(`VIOLATION ${violation.text}\n`)
  }
  const task = { step: workers, until, count: Math.ceil(count / workers), unchecked, emphasis, isMutant: false }
  await Promise.all(Array.from({ length: workers }, (_, n) => runWorker({ ...task, from: seed + n }, take)))
  return found
}
