import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeConfig } from '@kubernetes/client-node'
import type { Logger } from '../log.ts'
import { isConflict, isNotFound } from './api-error.ts'
import { mayTake, observe, released, taken, type Lease, type Observation } from './lease-record.ts'
import { requestKube } from './request.ts'

export interface LeaderElectionOptions {
  kubeConfig: KubeConfig
  namespace: string
  /** Name of the Lease. */
  name: string
  /** Who this is, for people; a random part is added, so that two processes never share one. */
  identity: string
  log: Logger
  /** Runs while this process leads, until `signal` aborts; a new term begins only after it has settled. */
  lead: (signal: AbortSignal) => Promise<void> | void
  /** Milliseconds without a renewal after which others may take over. Default 15,000. */
  leaseMs?: number
  /** Milliseconds without a renewal after which this one steps down; less than `leaseMs`. Default 10,000. */
  renewDeadlineMs?: number
  /** Milliseconds between tries. Default 2,000. */
  retryMs?: number
}

export interface LeaderElection {
  readonly identity: string
  /** Whether this process leads now, by its own clock: false as soon as the renewal deadline has passed. */
  isLeader(): boolean
  /** The holder last seen in the lease. */
  holder(): string | undefined
  /** Ends `lead`, waits for it, and frees the lease for the next. */
  stop(): Promise<void>
}

/** Campaigns for a Lease as controller-runtime does, term after term, until it is stopped. */
export function startLeaderElection(options: LeaderElectionOptions): LeaderElection {
  const elector = new Elector(options)
  const ended = elector.run()
  return {
    identity: elector.identity,
    isLeader: () => elector.isLeader(),
    holder: () => elector.observation?.lease.spec?.holderIdentity || undefined,
    stop: async () => {
      elector.abort.abort()
      await ended
    },
  }
}

class Elector {
  readonly identity: string
  readonly abort = new AbortController()
  observation: Observation | undefined
  private readonly options: Required<LeaderElectionOptions>
  private readonly log: Logger
  private readonly path: string
  /** Until when the lease counts as held unless it is renewed, on the monotonic clock. */
  private leadsUntil = 0
  private term: AbortController | undefined

  constructor(options: LeaderElectionOptions) {
    this.options = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000, ...options }
    if (this.options.renewDeadlineMs >= this.options.leaseMs || this.options.retryMs >= this.options.renewDeadlineMs) {
      throw new RangeError('Leader election needs retryMs < renewDeadlineMs < leaseMs')
    }
    this.identity = `${options.identity}_${randomUUID()}`
    this.path = `/apis/coordination.k8s.io/v1/namespaces/${options.namespace}/leases`
    this.log = options.log.child({ lease: options.name, identity: this.identity })
  }

  isLeader(): boolean {
    return this.term !== undefined && !this.term.signal.aborted && this.isHeld()
  }

  private isHeld(): boolean {
    return performance.now() < this.leadsUntil
  }

  async run(): Promise<void> {
    while (!this.abort.signal.aborted) {
      if (await this.tryToHold()) await this.serveTerm()
      else await this.pause(this.options.retryMs * (1 + 0.2 * Math.random()))
    }
  }

  private async serveTerm(): Promise<void> {
    this.log.info('leading')
    const term = new AbortController()
    this.term = term
    const stepDown = () => term.abort()
    this.abort.signal.addEventListener('abort', stepDown, { once: true })
    const work = this.lead(term.signal)
    while (this.isLeader()) await this.renew(term)
    term.abort()
    this.abort.signal.removeEventListener('abort', stepDown)
    await work
    if (this.isHeld()) await this.release()
    this.leadsUntil = 0
    this.log.info('no longer leading')
  }

  private async renew(term: AbortController): Promise<void> {
    await this.pause(Math.min(this.options.retryMs, this.leadsUntil - performance.now()))
    // A request that hangs must not keep the term alive past its deadline.
    const deadline = setTimeout(() => term.abort(), Math.max(0, this.leadsUntil - performance.now()))
    if (!term.signal.aborted) await this.tryToHold()
    clearTimeout(deadline)
  }

  private async lead(signal: AbortSignal): Promise<void> {
    try {
      await this.options.lead(signal)
    } catch (error) {
      this.log.error({ err: error }, 'the work of the leader failed')
    }
  }

  /** Takes or renews the lease, and says whether it is held; any failure is a no. */
  private async tryToHold(): Promise<boolean> {
    // The lease runs from before the request: the server may have written it at any moment since.
    const askedAt = performance.now()
    try {
      const lease = await this.read()
      if (lease) this.observation = observe(this.observation, lease, performance.now())
      if (lease && this.observation && !mayTake(this.observation, this.identity, performance.now())) {
        this.leadsUntil = 0
        return false
      }
      const written = await this.write(lease, taken(lease, this.identity, this.options.leaseMs))
      this.observation = observe(this.observation, written, performance.now())
      this.leadsUntil = askedAt + this.options.renewDeadlineMs
    } catch (error) {
      if (!this.abort.signal.aborted && !isConflict(error)) this.log.warn({ err: error }, 'the lease was not renewed')
      return false
    }
    return this.isHeld()
  }

  private async release(): Promise<void> {
    try {
      const lease = await this.read()
      if (lease?.spec?.holderIdentity === this.identity) await this.write(lease, released(lease))
    } catch (error) {
      this.log.warn({ err: error }, 'the lease was not freed; it runs out')
    }
  }

  private async read(): Promise<Lease | undefined> {
    const { kubeConfig, name } = this.options
    try {
      return await requestKube<Lease>(kubeConfig, { path: `${this.path}/${name}`, timeoutMs: this.timeoutMs() })
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /** Creates the lease, or replaces exactly the version that was read: who comes second gets a conflict. */
  private write(lease: Lease | undefined, spec: Lease['spec']): Promise<Lease> {
    const { kubeConfig, name } = this.options
    const metadata = lease?.metadata ?? { name }
    return requestKube<Lease>(kubeConfig, {
      method: lease ? 'PUT' : 'POST',
      path: lease ? `${this.path}/${name}` : this.path,
      body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
      timeoutMs: this.timeoutMs(),
    })
  }

  private timeoutMs(): number {
    return this.options.renewDeadlineMs / 2
  }

  private async pause(ms: number): Promise<void> {
    await sleep(Math.max(0, ms), undefined, { signal: this.abort.signal }).catch(() => undefined)
  }
}
