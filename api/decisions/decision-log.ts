/**
 * A sample of the requests that were priced, for `driveaway shadow`. No quote waits for the log: a decision that cannot be
 * written at once is kept in a short queue, then it is lost, and a metric counts it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, type Registry } from 'prom-client'
import type { Quote } from '#rates/engine/answer.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Logger } from '#runtime/log.ts'
import { redacted } from './redact.ts'

/** Where decisions are written. */
export interface Destination {
  /** Writes some lines and returns how many were lost; throws when all were. */
  write(lines: readonly string[]): Promise<number>
  stop(): Promise<void>
}

/** What became of a request: its quote, or the code of its refusal. */
export type Outcome = { quote: Quote } | { code: string }

export interface DecisionLog {
  note(request: QuoteRequest, release: string, outcome: Outcome): void
  /** Writes what is in the queue, for at most two seconds. */
  stop(): Promise<void>
}

export const NO_DECISION_LOG: DecisionLog = { note: () => undefined, stop: async () => undefined }

export interface DecisionLogOptions {
  destination: Destination
  /** One request of so many is written. */
  oneIn: number
  log: Pick<Logger, 'warn'>
  registry?: Registry
  /** Milliseconds since the epoch. */
  clock: () => number
  /** At least 0 and below 1; Math.random by default. */
  random?: () => number
}

/** Decisions that wait to be written: some megabytes at most. */
const MOST_WAITING = 1_000
const MOST_AT_ONCE = 100
const COLLECT_MS = 200
const RETRY_MS = 1_000
const STOP_MS = 2_000
/** Refusals whose cause may be a text of the client's own in one of the fields that are written. */
const UNKNOWN_NAMES = ['INVALID_PRICING_CODE', 'INVALID_CONCESSION', 'bad_request']

export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  return new QueuedLog(options)
}

class QueuedLog implements DecisionLog {
  readonly #options: DecisionLogOptions
  readonly #lost: Counter<'reason'>
  readonly #written: Counter
  #waiting: object[] = []
  #writing: Promise<void> | undefined
  #isFailing = false
  #isStopping = false

  constructor(options: DecisionLogOptions) {
    this.#options = options
    const registers = options.registry ? [options.registry] : []
    const lost = 'Decisions that were not written, by reason: the queue was full, or the destination failed.'
    this.#lost = new Counter({ name: 'driveaway_decisions_lost_total', help: lost, labelNames: ['reason'], registers })
    for (const reason of ['full', 'failed']) this.#lost.inc({ reason }, 0)
    const written = 'Decisions that were written to the decision log.'
    this.#written = new Counter({ name: 'driveaway_decisions_written_total', help: written, registers })
  }

  note(request: QuoteRequest, release: string, outcome: Outcome): void {
    const { oneIn, clock, random = Math.random } = this.#options
    if (random() * oneIn >= 1 || ('code' in outcome && UNKNOWN_NAMES.includes(outcome.code))) return
    if (this.#waiting.length >= MOST_WAITING) return this.#lost.inc({ reason: 'full' })
    this.#waiting.push({ at: new Date(clock()).toISOString(), release, request: redacted(request), ...said(outcome) })
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.race([this.#writing, sleep(STOP_MS, undefined, { ref: false })])
    await this.#options.destination.stop()
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!this.#isStopping) await sleep(this.#isFailing ? RETRY_MS : COLLECT_MS, undefined, { ref: false })
      const lines = this.#waiting.splice(0, MOST_AT_ONCE).map((each) => JSON.stringify(each))
      const lost = await this.#options.destination
        .write(lines)
        .catch((error: unknown) => this.#failed(error, lines.length))
      if (lost === 0) this.#isFailing = false
      this.#lost.inc({ reason: 'failed' }, lost)
      this.#written.inc(lines.length - lost)
    }
  }

  /** Says once that the destination fails, until it has worked again. */
  #failed(error: unknown, lost: number): number {
    if (!this.#isFailing)
      this.#options.log.warn({ err: error }, 'the decision log cannot be written: decisions are lost')
    this.#isFailing = true
    return lost
  }
}

/** The figures of a quote, or its refusal. */
function said(outcome: Outcome): object {
  if ('code' in outcome) return outcome
  const { categories, totals, metadata } = outcome.quote
  const components = categories.onRoad.map(({ component, value }) => [component, value] as const)
  return { driveAway: totals.driveAway, complete: metadata.complete, components: Object.fromEntries(components) }
}
