import type { V1Secret } from '@kubernetes/client-node'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { isRefusal } from '#runtime/kube/api-error.ts'
import { withoutManagedFields } from '#runtime/kube/managed-fields.ts'
import type { Logger } from '#runtime/log.ts'
import { oneAfterTheOther } from '#runtime/one-after-the-other.ts'
import {
  createClientSecret,
  findClientSecret,
  isGenerated,
  newSecretText,
  secretFault,
  secretText,
  shownFault,
  type SecretFault,
  type SecretPlace,
} from './client-secret.ts'
import { OtherType, Refusals, trying } from './refusals.ts'

/** The Secrets of clients; missing ones are created. */
export interface ClientSecrets {
  /**
   * Creates each missing Secret. A Secret that the server refuses, or that has another type, becomes a fault of that name and
   * is tried again later. Once `isOvertaken`, because more urgent work waits for this call, only a few creations start, so that calls
   * that are always overtaken end too. Who goes on before the end leaves what is under way to the next call, which waits for it.
   */
  ensure(names: Iterable<string>, isOvertaken?: () => boolean): Promise<void>
  /** Whether nothing is under way and nothing is to be verified: `ensure` has at most missing Secrets to create. */
  isAtRest?(): boolean
  /** The names of the Secrets that were created, also those whose creation had no answer and that the watch has delivered, once. */
  takeMade?(): ReadonlySet<string>
  /** Whether a Secret is missing and its creation is under way, or has not been tried yet. */
  isToBeMade(name: string): boolean
  /** Whether a watch reports what this operator made or is making, which the run that makes the Secret reads anyway. */
  isOwn?(secret: V1Secret): boolean
  text(name: string): string | undefined
  /** Whether an operator generated the Secret, in this process or in another. */
  isGenerated?(name: string): boolean
  fault(name: string): SecretFault | undefined
  /** Milliseconds until a refused Secret is tried again or one that the watch lacks is verified; undefined when neither is pending. */
  retryAfterMs(): number | undefined
}

const WRITES_AT_ONCE = 12
/** In milliseconds. Other changes wait for this call, so a slow server is asked again in the next run. */
const TIMEOUT_MS = 5000
/** The time in milliseconds that failures may take in one run; the remaining names are tried in a later run. */
const FAILING_MS = 10_000
/** The watch delivers a new Secret within this time, unless it was deleted. */
const SEEN_WITHIN_MS = 2000
const UNVERIFIED = 'created Secrets that the watch has not delivered could not be read; they are checked again later'

interface Made {
  secret: V1Secret
  at: number
}

/** The Secrets in the cache of the watch, and those created since. */
export function clientSecrets(
  place: SecretPlace,
  watched: (name: string) => V1Secret | undefined,
  clock: Clock = systemClock,
  log?: Logger,
): ClientSecrets {
  const secrets = new HeldSecrets(place, watched, { clock, log })
  return {
    ensure: (names, isOvertaken = () => false) => secrets.ensure(new Set(names), isOvertaken),
    isAtRest: () => secrets.isAtRest(),
    takeMade: () => secrets.takeMade(),
    isToBeMade: (name) => secrets.isToBeMade(name),
    isOwn: (secret) => secrets.isOwn(secret),
    isGenerated: (name) => {
      const secret = secrets.get(name)
      return secret !== undefined && isGenerated(secret)
    },
    text: (name) => secrets.text(name),
    fault: (name) => secrets.fault(name),
    retryAfterMs: () => secrets.nextMs(),
  }
}

class HeldSecrets {
  readonly #making = new Set<string>()
  readonly #made = new Map<string, Made>()
  #created = new Set<string>()
  readonly #inTurn = oneAfterTheOther()
  #calls = 0
  /** The text of each Secret whose creation had no answer: the server may have made the Secret. */
  readonly #unanswered = new Map<string, string>()
  readonly refusals: Refusals
  readonly #place: SecretPlace
  readonly #watched: (name: string) => V1Secret | undefined
  readonly #clock: Clock
  readonly #log: Logger | undefined

  constructor(
    place: SecretPlace,
    watched: (name: string) => V1Secret | undefined,
    { clock, log }: { clock: Clock; log: Logger | undefined },
  ) {
    this.#place = place
    this.#watched = watched
    this.#clock = clock
    this.#log = log
    this.refusals = new Refusals(clock)
  }

  get(name: string): V1Secret | undefined {
    return this.#watched(name) ?? this.#made.get(name)?.secret
  }

  text(name: string): string | undefined {
    const secret = this.get(name)
    return secret && secretText(secret)
  }

  /** A Secret deleted right after its creation may cause no event, so a later run checks that it exists. */
  nextMs(): number | undefined {
    this.#forgetDelivered()
    const refused = this.refusals.nextMs()
    return this.#made.size > 0 ? Math.min(SEEN_WITHIN_MS, refused ?? SEEN_WITHIN_MS) : refused
  }

  fault(name: string): SecretFault | undefined {
    const secret = this.get(name)
    const refused = secret ? undefined : this.refusals.reason(name)
    if (refused) return { check: 'client-secret', message: `Secret ${name} ${refused}` }
    return secretFault(name, this.text(name))
  }

  takeMade(): ReadonlySet<string> {
    for (const [name, text] of this.#unanswered) {
      const secret = this.get(name)
      if (!secret) continue
      this.#unanswered.delete(name)
      if (secretText(secret) === text) this.#created.add(name)
    }
    const created = this.#created
    this.#created = new Set()
    return created
  }

  isToBeMade(name: string): boolean {
    return !this.get(name) && (this.#making.has(name) || this.refusals.reason(name) === undefined)
  }

  /** An event may come before the answer to the creation. */
  isOwn({ metadata: { name = '', uid, resourceVersion } = {} }: V1Secret): boolean {
    const made = this.#made.get(name)?.secret.metadata
    return this.#making.has(name) || (made?.uid === uid && made?.resourceVersion === resourceVersion)
  }

  ensure(names: ReadonlySet<string>, isOvertaken: () => boolean): Promise<void> {
    this.#calls += 1
    return this.#inTurn(() => this.#ensure(names, isOvertaken)).finally(() => void (this.#calls -= 1))
  }

  isAtRest(): boolean {
    return this.#calls === 0 && this.#made.size === 0
  }

  async #ensure(names: ReadonlySet<string>, isOvertaken: () => boolean): Promise<void> {
    await this.#review(names, isOvertaken)
    const missing = [...names].filter((name) => !this.get(name))
    this.refusals.keep(new Set(missing))
    let failingMs = 0
    const due = missing.filter((name) => this.refusals.isDue(name))
    // A call that waits behind this one has newer names.
    let leftWhenOvertaken = this.#calls > 1 ? 0 : WRITES_AT_ONCE
    await inParallel(WRITES_AT_ONCE, this.refusals.inTurn(due), async (name) => {
      if (isOvertaken() && leftWhenOvertaken <= 0) return
      leftWhenOvertaken -= 1
      if (failingMs >= FAILING_MS) return this.refusals.postpone(name)
      const startedAt = this.#clock.elapsed()
      this.#making.add(name)
      try {
        await this.#make(name)
        this.refusals.forget(name)
      } catch (error) {
        if (!(error instanceof OtherType)) failingMs += this.#clock.elapsed() - startedAt
        this.refusals.add(name, error)
      } finally {
        this.#making.delete(name)
      }
    })
    this.#forgetDelivered()
  }

  /**
   * Drops the created Secrets that the watch has delivered; one that the watch has not delivered in time may have been
   * deleted. One that cannot be verified counts as it was, and is verified later; one line of the log tells of all of them.
   */
  async #review(names: ReadonlySet<string>, isOvertaken: () => boolean): Promise<void> {
    for (const known of [this.#made, this.#unanswered])
      for (const name of known.keys()) if (!names.has(name)) known.delete(name)
    this.#forgetDelivered()
    const now = this.#clock.elapsed()
    const old = [...this.#made].filter(([, { at }]) => now - at >= SEEN_WITHIN_MS).map(([name]) => name)
    let failingMs = 0
    let unverified = 0
    let first: { secret: string; fault: string } | undefined
    await inParallel(WRITES_AT_ONCE, old, async (name) => {
      if (isOvertaken()) return
      if (failingMs >= FAILING_MS) return void (unverified += 1)
      const startedAt = this.#clock.elapsed()
      await this.#verify(name).catch((error: unknown) => {
        failingMs += this.#clock.elapsed() - startedAt
        unverified += 1
        first ??= { secret: name, fault: shownFault(error, this.text(name)) }
      })
    })
    if (first) this.#log?.warn({ unverified, ...first }, UNVERIFIED)
  }

  async #verify(name: string): Promise<void> {
    const secret = await findClientSecret(this.#place, { name, timeoutMs: TIMEOUT_MS })
    // The watch may have delivered it meanwhile, and its deletion too.
    if (!this.#made.has(name)) return
    if (secret) this.#made.set(name, { secret: withoutManagedFields(secret), at: this.#clock.elapsed() })
    else this.#made.delete(name)
  }

  #forgetDelivered(): void {
    for (const name of this.#made.keys()) if (this.#watched(name)) this.#made.delete(name)
  }

  async #make(name: string): Promise<void> {
    const unanswered = this.#unanswered.get(name)
    const text = unanswered ?? newSecretText()
    this.#unanswered.set(name, text)
    const secret = await trying(this.#clock, TIMEOUT_MS / 2, async () => {
      const created = await createClientSecret(this.#place, { name, text, timeoutMs: TIMEOUT_MS })
      return created ?? (await findClientSecret(this.#place, { name, timeoutMs: TIMEOUT_MS }))
    }).catch((error: unknown) => {
      if (unanswered === undefined && isRefusal(error)) this.#unanswered.delete(name)
      throw error
    })
    // Who asked in between, when the watch had delivered the Secret, was told of it.
    const isUntold = this.#unanswered.delete(name)
    if (!secret) throw new OtherType()
    // The answer to an earlier try may have been lost.
    if (isUntold && secretText(secret) === text) this.#created.add(name)
    this.#made.set(name, { secret: withoutManagedFields(secret), at: this.#clock.elapsed() })
  }
}
