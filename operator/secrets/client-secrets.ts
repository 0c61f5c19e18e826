import type { V1Secret } from '@kubernetes/client-node'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import { withoutManagedFields } from '#runtime/kube/managed-fields.ts'
import {
  createClientSecret,
  findClientSecret,
  secretFault,
  secretText,
  type SecretFault,
  type SecretPlace,
} from './client-secret.ts'
import { Refusals } from './refusals.ts'

/** The Secrets of clients; missing ones are created. */
export interface ClientSecrets {
  /**
   * Creates each missing Secret. A Secret that the server refuses becomes a fault of that name and is tried again
   * later. No creation starts while `isOvertaken`: more urgent work waits for this call.
   */
  ensure(names: Iterable<string>, isOvertaken?: () => boolean): Promise<void>
  /** The names of the Secrets that the last `ensure` created. */
  made?(): ReadonlySet<string>
  /** Whether a Secret is missing and its creation has not been tried yet. */
  isToBeMade(name: string): boolean
  text(name: string): string | undefined
  fault(name: string): SecretFault | undefined
  /** Milliseconds until a refused Secret is tried again or a new one is verified; undefined when neither is pending. */
  retryAfterMs(): number | undefined
}

const WRITES_AT_ONCE = 12
/** In milliseconds. A suspension waits for this call, so a slow server is asked again in the next run. */
const TIMEOUT_MS = 5000
const TRIES = 3
/** The time in milliseconds that failures may take in one run; the remaining names are tried in a later run. */
const FAILING_MS = 10_000
/** The watch delivers a new Secret within this time, unless it was deleted. */
const SEEN_WITHIN_MS = 2000

interface Made {
  secret: V1Secret
  at: number
}

/** The Secrets in the cache of the watch, and those created since. */
export function clientSecrets(
  place: SecretPlace,
  watched: (name: string) => V1Secret | undefined,
  clock: Clock = systemClock,
): ClientSecrets {
  const secrets = new HeldSecrets(place, watched, clock)
  return {
    ensure: (names, isOvertaken = () => false) => secrets.ensure(new Set(names), isOvertaken),
    made: () => secrets.created,
    isToBeMade: (name) => secrets.isToBeMade(name),
    text: (name) => {
      const secret = secrets.get(name)
      return secret && secretText(secret)
    },
    fault: (name) => secrets.fault(name),
    retryAfterMs: () => secrets.nextMs(),
  }
}

class HeldSecrets {
  readonly #made = new Map<string, Made>()
  readonly #ofOtherType = new Set<string>()
  readonly created = new Set<string>()
  readonly refusals: Refusals
  readonly #place: SecretPlace
  readonly #watched: (name: string) => V1Secret | undefined
  readonly #clock: Clock

  constructor(place: SecretPlace, watched: (name: string) => V1Secret | undefined, clock: Clock) {
    this.#place = place
    this.#watched = watched
    this.#clock = clock
    this.refusals = new Refusals(clock)
  }

  get(name: string): V1Secret | undefined {
    return this.#watched(name) ?? this.#made.get(name)?.secret
  }

  /** A Secret deleted right after its creation may cause no event, so a later run checks that it exists. */
  nextMs(): number | undefined {
    const refused = this.refusals.nextMs()
    return this.#made.size > 0 ? Math.min(SEEN_WITHIN_MS, refused ?? SEEN_WITHIN_MS) : refused
  }

  fault(name: string): SecretFault | undefined {
    if (this.#ofOtherType.has(name))
      return { check: 'client-secret', message: `Secret ${name} has another type and is not read` }
    const secret = this.get(name)
    const refused = secret ? undefined : this.refusals.reason(name)
    if (refused) return { check: 'client-secret', message: `Secret ${name} could not be created: ${refused}` }
    return secretFault(name, secret && secretText(secret))
  }

  isToBeMade(name: string): boolean {
    return !this.get(name) && !this.#ofOtherType.has(name) && this.refusals.reason(name) === undefined
  }

  async ensure(names: ReadonlySet<string>, isOvertaken: () => boolean): Promise<void> {
    this.#ofOtherType.clear()
    this.created.clear()
    this.refusals.keep(names)
    await this.#review(names)
    let failingMs = 0
    const missing = [...names].filter((name) => !this.get(name) && this.refusals.isDue(name))
    await inParallel(WRITES_AT_ONCE, this.refusals.inTurn(missing), async (name) => {
      if (isOvertaken()) return
      if (failingMs >= FAILING_MS) return this.refusals.postpone(name)
      const startedAt = this.#clock.elapsed()
      try {
        await this.#make(name)
        this.refusals.forget(name)
      } catch (error) {
        failingMs += this.#clock.elapsed() - startedAt
        this.refusals.add(name, error)
      }
    })
    this.#forgetDelivered(names)
  }

  /**
   * Drops the created Secrets that the watch has delivered; one that the watch has not delivered in time may have been
   * deleted.
   */
  async #review(names: ReadonlySet<string>): Promise<void> {
    this.#forgetDelivered(names)
    const now = this.#clock.elapsed()
    const old = [...this.#made].filter(([, { at }]) => now - at >= SEEN_WITHIN_MS).map(([name]) => name)
    await inParallel(WRITES_AT_ONCE, old, async (name) => {
      const secret = await findClientSecret(this.#place, name)
      if (secret) this.#made.set(name, { secret: withoutManagedFields(secret), at: now })
      else this.#made.delete(name)
    })
  }

  #forgetDelivered(names: ReadonlySet<string>): void {
    for (const name of this.#made.keys()) if (this.#watched(name) || !names.has(name)) this.#made.delete(name)
  }

  async #make(name: string): Promise<void> {
    const secret = await trying(this.#clock, async () => {
      const created = await createClientSecret(this.#place, name, TIMEOUT_MS)
      if (created) this.created.add(name)
      return created ?? (await findClientSecret(this.#place, name))
    })
    if (secret) this.#made.set(name, { secret: withoutManagedFields(secret), at: this.#clock.elapsed() })
    else this.#ofOtherType.add(name)
  }
}

/** Retries when the server is busy or fails; a refusal is not retried. */
async function trying<T>(clock: Clock, act: () => Promise<T>): Promise<T> {
  const startedAt = clock.elapsed()
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const isRefusal = error instanceof KubeApiError && error.status < 500 && error.status !== 429
      if (isRefusal || attempt === TRIES || clock.elapsed() - startedAt > TIMEOUT_MS / 2) throw error
      await clock.sleep(100 * 2 ** attempt)
    }
  }
}
