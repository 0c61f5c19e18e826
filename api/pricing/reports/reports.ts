import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { Logger } from '#runtime/log.ts'
import type { FromThread, Report, ToThread } from './report.ts'

/** The report of a snapshot, computed when it is first asked for and kept as long as the snapshot is. */
export type ReportOf = (snapshot: Snapshot) => Promise<Report>

export interface ReportOptions {
  log: Pick<Logger, 'error'>
  /** What runs in the thread; by default the computation of a report. */
  entry?: URL
  /** Milliseconds that a report may take. */
  deadlineMs?: number
  /** Milliseconds for which a report that failed is not tried again. */
  pauseMs?: number
}

/**
 * Makes reports in a thread of their own, one after another: a report takes as long as thousands of quotes, and no quote waits
 * for it. A report that fails is a fault of the requests for it and of nothing else.
 */
export function createReports(options: ReportOptions): ReportOf {
  const { log, pauseMs = 10_000 } = options
  const known = new WeakMap<Snapshot, Promise<Report>>()
  let last: Promise<unknown> = Promise.resolve()
  return (snapshot) => {
    const found = known.get(snapshot)
    if (found) return found
    const report = last.then(() => computed(snapshot, options))
    known.set(snapshot, report)
    last = report.catch((error: unknown) => {
      log.error({ err: error, release: snapshot.release }, 'the report of a release was not computed')
      setTimeout(() => known.delete(snapshot), pauseMs).unref()
    })
    return report
  }
}

const MEGABYTES = 192

async function computed(snapshot: Snapshot, { entry, deadlineMs = 60_000 }: ReportOptions): Promise<Report> {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(entry ?? new URL('./report-worker.ts', import.meta.url), { resourceLimits, name: 'report' })
  // Nothing of a report is worth keeping a process for that is about to end.
  worker.unref()
  const expired = setTimeout(() => void worker.terminate(), deadlineMs).unref()
  const heard = listen(worker)
  heard.catch(() => undefined)
  try {
    await tell(worker, snapshot)
    return await heard
  } finally {
    clearTimeout(expired)
    await worker.terminate()
  }
}

/** One set at a time: copying all of them at once would be felt by a quote. */
async function tell(worker: Worker, snapshot: Snapshot): Promise<void> {
  for (const set of setsOf(snapshot)) {
    worker.postMessage({ set } satisfies ToThread)
    await nextTurn()
  }
  worker.postMessage({ release: snapshot.release } satisfies ToThread)
}

const setsOf = ({ specs, digests, programs }: Snapshot): LoadedSet[] =>
  specs.map((spec) => {
    const name = rateSetName(spec.pricingCode, spec.financialYear)
    return { name, digest: digests[name] ?? '', imports: { ...programs[name]?.imports }, spec }
  })

function listen(worker: Worker): Promise<Report> {
  const jurisdictions: Report['jurisdictions'][number][] = []
  const changes: Report['changes'][number][] = []
  return new Promise((resolve, reject) => {
    worker.on('message', (said: FromThread) => {
      if ('jurisdiction' in said) jurisdictions.push(said.jurisdiction)
      else if ('changes' in said) changes.push(...said.changes)
      else resolve({ jurisdictions, changes })
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('the thread of the report ended early')))
  })
}
