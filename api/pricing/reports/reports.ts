import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { Logger } from '#runtime/log.ts'
import type { FromThread, Report, ToThread } from './report.ts'

/** The report of a snapshot, computed on first use and kept as long as the snapshot. */
export type ReportOf = (snapshot: Snapshot) => Promise<Report>

export interface ReportOptions {
  log: Pick<Logger, 'error'>
  /** The module that runs in the thread; by default it computes a report. */
  entry?: URL
  /** Longest time for a report, in milliseconds. */
  deadlineMs?: number
  /** Milliseconds before a failed report is tried again. */
  pauseMs?: number
}

/**
 * Creates reports in a thread, one after another: a report takes as long as thousands of quotes, and no quote waits for
 * it. A report that fails affects only the requests for it.
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
  // A report does not keep a stopping process alive.
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

/** One set at a time: copying all of them at once would delay quotes noticeably. */
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
