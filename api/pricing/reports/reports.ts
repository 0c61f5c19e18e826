import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { LoadedSet } from '#rates/engine/compile/compile.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import type { Logger } from '#runtime/log.ts'
import { notReadable } from '../../releases/refusals.ts'
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

export interface Reports {
  reportOf: ReportOf
  /** What a release changed of an earlier one, by pricing code and day; throws `not_ready` while many others wait. */
  changesBetween(earlier: Snapshot, later: Snapshot): Promise<Report['changes']>
}

/** Pairs of releases that may wait for one another. */
const MOST_PAIRS = 8

/**
 * Creates reports in a thread, one after another: a report takes as long as thousands of quotes, and no quote waits for
 * it. A report that fails affects only the requests for it.
 */
export function createReports(options: ReportOptions): Reports {
  const inTurn = createTurns(options)
  const reports: Known = new WeakMap()
  const pairs = new WeakMap<Snapshot, Known>()
  let waiting = 0
  const compare = (earlier: Snapshot, later: Snapshot, known: Known): Promise<Report> => {
    if (waiting >= MOST_PAIRS) throw notReadable('Too many releases are being compared; try again.')
    waiting += 1
    const report = inTurn(known, earlier, () => computed(partsOfBoth(earlier, later), options))
    return report.finally(() => (waiting -= 1))
  }
  return {
    reportOf: (snapshot) => reports.get(snapshot) ?? inTurn(reports, snapshot, () => computed(partsOf(snapshot), options)),
    changesBetween: async (earlier, later) => {
      const known = pairs.get(later) ?? (new WeakMap() as Known)
      pairs.set(later, known)
      return (await (known.get(earlier) ?? compare(earlier, later, known))).changes
    },
  }
}

/** The reports that are computed or being computed. */
type Known = WeakMap<Snapshot, Promise<Report>>

/** Runs one computation after another, and forgets one that fails after a pause. */
function createTurns({ log, pauseMs = 10_000 }: ReportOptions) {
  let last: Promise<unknown> = Promise.resolve()
  return (known: Known, snapshot: Snapshot, compute: () => Promise<Report>): Promise<Report> => {
    const report = last.then(compute)
    known.set(snapshot, report)
    last = report.catch((error: unknown) => {
      log.error({ err: error, release: snapshot.release }, 'the report of a release was not computed')
      setTimeout(() => known.delete(snapshot), pauseMs).unref()
    })
    return report
  }
}

const MEGABYTES = 192

async function computed(parts: readonly ToThread[], { entry, deadlineMs = 60_000 }: ReportOptions): Promise<Report> {
  const resourceLimits = { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(entry ?? new URL('./report-worker.ts', import.meta.url), { resourceLimits, name: 'report' })
  // A report does not keep a stopping process alive.
  worker.unref()
  const expired = setTimeout(() => void worker.terminate(), deadlineMs).unref()
  const heard = listen(worker)
  heard.catch(() => undefined)
  try {
    await tell(worker, parts)
    return await heard
  } finally {
    clearTimeout(expired)
    await worker.terminate()
  }
}

/** One set at a time: copying all of them at once would delay quotes noticeably. */
async function tell(worker: Worker, parts: readonly ToThread[]): Promise<void> {
  for (const part of parts) {
    worker.postMessage(part)
    await nextTurn()
  }
}

const partsOf = (snapshot: Snapshot): ToThread[] => [
  ...setsOf(snapshot).map((set) => ({ set })),
  { release: snapshot.release },
]

function partsOfBoth(earlier: Snapshot, later: Snapshot): ToThread[] {
  const isSame = ({ name, digest }: LoadedSet) => digest !== '' && later.digests[name] === digest
  return [
    ...setsOf(later).map((set) => ({ set })),
    ...setsOf(earlier).map((set) => ({ earlier: isSame(set) ? set.name : set.spec })),
    { compare: true },
  ]
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
