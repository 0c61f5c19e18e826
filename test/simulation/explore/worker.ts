import { takeOverEntropy } from '../entropy.ts'
import type { Violation } from '../invariants/violation.ts'
import { described, shorten } from '../shorten.ts'
import { simulate, type Outcome } from '../simulate.ts'

/** What the explorer tells a worker. */
export interface Task {
  /** Seeds: the first, and how far it is to the next. */
  from: number
  step: number
  /** Milliseconds since 1970 at which the worker ends; it runs one seed whatever the time is. */
  until: number
  /** Milliseconds of processor time after which it ends: other programs take nothing of it. */
  processorMs?: number
  /** Seeds at most. */
  count?: number
  unchecked: readonly string[]
  /** What the seeds dwell on. */
  emphasis?: string | undefined
  /** Ends with the first violation, and does not shorten it. */
  isMutant: boolean
}

/** What a worker tells the explorer, from time to time and at its end. */
export interface Tally {
  seeds: number
  calls: number
  crashes: number
  counts: [string, number][]
  states: Float64Array
  /** Milliseconds of processor time since the worker began. */
  usedMs: number
  violation?: { seed: number; rule: string; text: string }
  isDone: boolean
}

const TELL_MS = 1000
/** What is random does not differ from seed to seed: states of two seeds are to be compared. */
const SAME = 1

process.once('message', (task: Task) => void explore(task))

async function explore(task: Task): Promise<void> {
  const { from, step, until, count = Infinity, processorMs = Infinity, unchecked: rules, isMutant, emphasis } = task
  // Refusals are errors, and there are thousands: a stack is worth its time where one seed is replayed, and not here.
  Error.stackTraceLimit = 0
  const entropy = takeOverEntropy()
  const unchecked = new Set(rules)
  const known = new Set<number>()
  /** Rules of which one case has been shortened: that takes as long as many seeds. */
  const shortened = new Set<string>()
  let told = Date.now()
  let tally = emptyTally()
  let fresh: number[] = []
  const onState = (state: number) => {
    if (known.has(state)) return
    known.add(state)
    fresh.push(state)
  }
  const tell = (isDone: boolean) => {
    process.send?.({ ...tally, states: Float64Array.from(fresh), usedMs: usedMs(), isDone } satisfies Tally)
    tally = emptyTally()
    fresh = []
    told = Date.now()
  }
  const isOver = () => Date.now() >= until || usedMs() >= processorMs
  for (let seed = from; seed < from + count * step && (seed === from || !isOver()); seed += step) {
    entropy.begin(SAME)
    const { violation, calls, crashes, counts } = await simulate(seed, { onState, unchecked, emphasis })
    tally.seeds += 1
    tally.calls += calls
    tally.crashes += crashes
    tally.counts.push(...counts)
    if (violation) {
      const isKnown = isMutant || shortened.has(violation.rule)
      shortened.add(violation.rule)
      const text = isKnown
        ? `seed ${seed}: ${violation.message}`
        : shortly(seed, violation, await shorten(seed, { unchecked, emphasis }, () => entropy.begin(SAME)))
      tally.violation = { seed, rule: violation.rule, text }
      tell(isMutant)
      if (isMutant) break
    } else if (Date.now() - told > TELL_MS) tell(false)
  }
  tell(true)
  process.disconnect?.()
}

/** A shortened run; what a rule says of processor time can be the machine's doing, and no second run breaks it then. */
function shortly(seed: number, { message }: Violation, again: Outcome): string {
  return again.violation ? described(seed, again) : `seed ${seed}: ${message}; not in a second run`
}

function usedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function emptyTally(): Omit<Tally, 'states' | 'usedMs' | 'isDone'> {
  return { seeds: 0, calls: 0, crashes: 0, counts: [] }
}
