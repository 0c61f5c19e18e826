import { parentPort } from 'node:worker_threads'
import { typedChanges } from '#rates/diff/typed-changes.ts'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import { buildSnapshot } from '#rates/engine/snapshot.ts'
import { describeJurisdictions } from '#rates/offered/describe.ts'
import type { FromThread, ToThread } from './report.ts'

// Entry point of the thread of reports.ts: computes the report of one release and ends.

const sets: LoadedSet[] = []
const say = (part: FromThread) => parentPort?.postMessage(part)

parentPort?.on('message', (told: ToThread) => {
  if ('set' in told) return void sets.push(told.set)
  const snapshot = buildSnapshot({ release: told.release, sets })
  for (const changes of typedChanges(snapshot.specs)) say({ changes })
  for (const jurisdiction of describeJurisdictions(snapshot)) say({ jurisdiction })
  say({ done: true })
  parentPort?.close()
})
