import { randomUUID } from 'node:crypto'
import { systemClock, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isConflict } from './api-error.ts'
import type { Kube } from './kube.ts'
import { mayTake, observe, released, taken, type Lease, type Observation } from './lease-record.ts'

export interface LeaderElectionOptions {
  kube: Kube
  namespace: string
  /** Name of the Lease. */
  name: string
  /** Identity of this process, for people; a random part is added, so that no two processes share one. */
  identity: string
  log: Logger
  /** Runs while this process leads, until `signal` aborts; the next term begins only after it has settled. */
  lead: (signal: AbortSignal) => Promise<void> | void
  /** Milliseconds without a renewal after which other processes may take over. Default 15,000. */
  leaseMs?: number
  /** Milliseconds without a renewal after which this process steps down; less than `leaseMs`. Default 10,000. */
  renewDeadlineMs?: number
  /** Milliseconds between attempts. Default 2,000. */
  retryMs?: number
  clock?: Clock
  random?: () => number
}

export interface LeaderElection {
  readonly identity: string
  /** Whether this process leads now, by its own clock: false once the renewal deadline has passed. */
  isLeader(): boolean
  /** The last known holder of the lease. */
  holder(): string | undefined
  /** Ends `lead`, waits until it has settled, and releases the lease. */
  stop(): Promise<void>
}

const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' }

/** Campaigns for a Lease, as controller-runtime does, term after term until it is stopped. */
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
  readonly #options: Required<LeaderElectionOptions>
  readonly #log: Logger
  /** End of the lease unless it is renewed, on the monotonic clock. */
  #leadsUntil = 0
  #term: AbortController | undefined

  constructor(options: LeaderElectionOptions) {
    const times = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 }
    this.#options = { ...times, clock: systemClock, random: Math.random, ...options }
    if (
      this.#options.renewDeadlineMs >= this.#options.leaseMs ||
      this.#options.retryMs >= this.#options.renewDeadlineMs
    ) {
      throw new RangeError('Leader election needs retryMs < renewDeadlineMs < leaseMs')
    }
    this.identity = `${options.identity}_${randomUUID()}`
    this.#log = options.log.child({ lease: options.name, identity: this.identity })
  }

  isLeader(): boolean {
    return this.#term !== undefined && !this.#term.signal.aborted && this.#isHeld()
  }

  #isHeld(): boolean {
    return this.#elapsed() < this.#leadsUntil
  }

  async run(): Promise<void> {
    while (!this.abort.signal.aborted) {
      if (await this.#tryToHold()) await this.#serveTerm()
      else await this.#pause(this.#options.retryMs * (1 + 0.2 * this.#options.random()))
    }
  }

  async #serveTerm(): Promise<void> {
    this.#log.info('leading')
    const term = new AbortController()
    this.#term = term
    const stepDown = () => term.abort()
    this.abort.signal.addEventListener('abort', stepDown, { once: true })
    const work = this.#lead(term.signal)
    while (this.isLeader()) await this.#renew(term)
    term.abort()
    this.abort.signal.removeEventListener('abort', stepDown)
    await work
    if (this.#isHeld()) await this.#release()
    this.#leadsUntil = 0
    this.#log.info('no longer leading')
  }

  async #renew(term: AbortController): Promise<void> {
    await this.#pause(Math.min(this.#options.retryMs, this.#leadsUntil - this.#elapsed()))
    // A hanging request must not extend the term past its deadline.
    const deadline = this.#options.clock.after(Math.max(0, this.#leadsUntil - this.#elapsed()), () => term.abort())
    if (!term.signal.aborted) await this.#tryToHold()
    deadline()
  }

  async #lead(signal: AbortSignal): Promise<void> {
    try {
      await this.#options.lead(signal)
    } catch (error) {
      this.#log.error({ err: error }, 'the work of the leader failed')
    }
  }

  /** Acquires or renews the lease; returns whether this process holds it, false after any failure. */
  async #tryToHold(): Promise<boolean> {
    // The lease counts from before the request, because the server may have written it at any moment since.
    const askedAt = this.#elapsed()
    try {
      const lease = await this.#read()
      if (lease) this.observation = observe(this.observation, lease, this.#elapsed())
      if (lease && this.observation && !mayTake(this.observation, this.identity, this.#elapsed())) {
        this.#leadsUntil = 0
        return false
      }
      const written = await this.#write(
        lease,
        taken(lease, { identity: this.identity, leaseMs: this.#options.leaseMs, now: this.#options.clock.now() }),
      )
      this.observation = observe(this.observation, written, this.#elapsed())
      this.#leadsUntil = askedAt + this.#options.renewDeadlineMs
    } catch (error) {
      if (!this.abort.signal.aborted && !isConflict(error)) this.#log.warn({ err: error }, 'the lease was not renewed')
      return false
    }
    return this.#isHeld()
  }

  async #release(): Promise<void> {
    try {
      const lease = await this.#read()
      if (lease?.spec?.holderIdentity === this.identity)
        await this.#write(lease, released(lease, this.#options.clock.now()))
    } catch (error) {
      this.#log.warn({ err: error }, 'could not release the lease; it will expire')
    }
  }

  #read(): Promise<Lease | undefined> {
    const { kube, name, namespace } = this.#options
    return kube.get<Lease>({ ...LEASE, metadata: { name, namespace } }, { timeoutMs: this.#timeoutMs() })
  }

  /**
   * Creates the lease, or replaces exactly the version that was read, so that the second of two writers gets a
   * conflict.
   */
  #write(lease: Lease | undefined, spec: Lease['spec']): Promise<Lease> {
    const { kube, name, namespace } = this.#options
    const object = { ...LEASE, metadata: { ...lease?.metadata, name, namespace }, spec }
    const times = { timeoutMs: this.#timeoutMs() }
    return lease ? kube.replace<Lease>(object, times) : kube.create<Lease>(object, times)
  }

  #elapsed(): number {
    return this.#options.clock.elapsed()
  }

  #timeoutMs(): number {
    return this.#options.renewDeadlineMs / 2
  }

  async #pause(ms: number): Promise<void> {
    await this.#options.clock.sleep(ms, this.abort.signal)
  }
}
