import { checkRateSet } from '#rates/checks/check-rate-set.ts'
import type { Clock } from '#runtime/clock.ts'
import type { Kube } from '#runtime/kube/kube.ts'
import { startLeaderElection, type LeaderElection } from '#runtime/kube/leader-election.ts'
import type { Logger } from '#runtime/log.ts'
import { Registry } from 'prom-client'
import { healthUrlsOf } from '../../../operator/api-processes/addresses.ts'
import type { Promotion } from '../../../operator/attestation/from-configuration.ts'
import type { Configuration } from '../../../operator/configuration.ts'
import { assembleWork } from '../../../operator/loop/assemble.ts'
import { serveTerm, type TermOptions } from '../../../operator/loop/term.ts'
import { eventLane } from '../../../operator/status/event-lane.ts'
import { inProcess, rateSetChecks, type CheckSet } from '../../../operator/rate-set/checks.ts'
import { emptyRatesLedger } from '../../../operator/rate-set/ledger.ts'
import { emptyClientsLedger } from '../../../operator/showroom-client/ledger.ts'
import { specDigestOf } from '../invariants/rates.ts'
import { startWatches, synced, type OnChange } from '../../../operator/loop/watches.ts'

/** Checks are pure, and the contents of a simulation are few: each is judged once by this process. */
const judged = new Map<string, ReturnType<CheckSet>>()
const checks = inProcess(rateSetChecks(checkRateSet))
const checkFor =
  (onJudged: OperatorOptions['onJudged']): CheckSet =>
  (checked) => {
    const key = [checked.name, ...[checked.spec, ...checked.imports].map(specDigestOf)].join(' ')
    const before = process.cpuUsage()
    const faults = judged.get(key) ?? checks(checked)
    judged.set(key, faults)
    const { user, system } = process.cpuUsage(before)
    onJudged(checked.name, (user + system) / 1e6)
    return faults
  }

export interface OperatorOptions {
  configuration: Configuration
  promotion: Promotion
  kube: Kube
  clock: Clock
  random: () => number
  log: Logger
  ask: NonNullable<TermOptions['ask']>
  /** Told which addresses of API processes the operator knows, after each change. */
  onProcesses: (urls: readonly string[]) => void
  /** Told what processor time, in seconds, a rate set took to be judged. */
  onJudged: (name: string, seconds: number) => void
}

export interface Operator {
  /** Leads from now on until told to stop, whatever a lease says. */
  lead(): Promise<() => Promise<void>>
  /** Campaigns for the lease until told to stop. */
  campaign(): Promise<() => Promise<void>>
  /** Whether it holds the lease, by its own clock. */
  isElected(): boolean
}

/** The operator as its main.ts puts it together, without configuration, health port and post. */
export function startOperator(options: OperatorOptions): Operator {
  const { configuration, promotion, kube, clock, random, log, ask, onProcesses, onJudged } = options
  const check = checkFor(onJudged)
  const { announce } = eventLane({ kube, log, clock })
  const ledgers = { rates: emptyRatesLedger(), clients: emptyClientsLedger() }
  const registry = new Registry()
  const metrics = {
    registry,
    leading: () => undefined,
    published: () => undefined,
    failed: () => undefined,
    untidy: () => undefined,
  }
  let listener: OnChange | undefined
  const urls = () => healthUrlsOf(watches.endpointSlices?.objects.values() ?? [])
  const watches = startWatches({ ...configuration, kube, clock, random, log, registry }, (change) => {
    if (change.watched === 'endpointSlices') onProcesses(urls())
    listener?.(change)
  })
  const term: TermOptions = {
    ...{ watches, ledgers, concurrency: configuration.concurrency, metrics, log, clock, random, ask },
    apiHealthUrls: urls,
    work: (around) =>
      assembleWork(
        { configuration, promotion, post: undefined, kube, announce, check, clock, watches, ledgers, metrics, log },
        around,
      ),
    listen: (onChange) => (listener = onChange),
  }
  const isSynced = synced(watches)
  let election: LeaderElection | undefined
  let lastTerm = Promise.resolve()
  const { namespace, leaseName: name, identity } = configuration
  const leaseMs = configuration.leaseSeconds * 1000
  return {
    lead: async () => {
      const end = new AbortController()
      // As the election has it: a new term begins only after the last one has settled.
      const ended = Promise.all([isSynced, lastTerm]).then(() => serveTerm(term, end.signal))
      lastTerm = ended
      return async () => {
        end.abort()
        await ended
      }
    },
    campaign: async () => {
      await isSynced
      const started = startLeaderElection({
        ...{ kube, clock, random, namespace, log, name, identity },
        ...{ leaseMs, renewDeadlineMs: (leaseMs * 2) / 3, retryMs: leaseMs / 7.5 },
        lead: (signal) => serveTerm(term, signal),
      })
      election = started
      return () => started.stop()
    },
    isElected: () => election?.isLeader() ?? false,
  }
}
