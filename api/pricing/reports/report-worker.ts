import { parentPort } from 'node:worker_threads'
import { changesBetween } from '#rates/diff/changes-between.ts'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { buildSnapshot } from '#rates/engine/snapshot.ts'
import { describeJurisdictions } from '#rates/offered/describe.ts'
import type { FromThread, ToThread } from './report.ts'

// Entry point of the thread of reports.ts: computes the report of one release, or what two differ in, and ends.

const sets: LoadedSet[] = []
const earlier: RateSetSpec[] = []
const say = (part: FromThread) => parentPort?.postMessage(part)

parentPort?.on('message', (told: ToThread) => {
  if ('set' in told) return void sets.push(told.set)
  if ('earlier' in told) return void earlier.push(typeof told.earlier === 'string' ? specNamed(told.earlier) : told.earlier)
  if ('release' in told) report(told.release)
  else compare()
  say({ done: true })
  parentPort?.close()
})

const specNamed = (named: string): RateSetSpec => sets.find(({ name }) => name === named)!.spec

function report(release: string): void {
  const snapshot = buildSnapshot({ release, sets })
  for (const changes of typedChanges(snapshot.specs)) say({ changes })
  for (const jurisdiction of describeJurisdictions(snapshot)) say({ jurisdiction })
}

function compare(): void {
  const specs = sets.map(({ spec }) => spec)
  for (const changes of changesBetween(earlier, specs)) say({ changes })
}
