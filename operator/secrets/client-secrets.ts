import type { V1Secret } from '@kubernetes/client-node'
import { systemClock, type Clock } from '#runtime/clock.ts'
import { inParallel } from '#runtime/in-parallel.ts'
import { KubeApiError } from '#runtime/kube/api-error.ts'
import {
  createClientSecret,
  findClientSecret,
  secretFault,
  secretText,
  type SecretFault,
  type SecretPlace,
} from './client-secret.ts'
import { Refusals } from './refusals.ts'

/** The Secrets of clients, made where there are none. */
export interface ClientSecrets {
  /**
   * Makes each Secret that is not there; one that the server refuses is a fault of that name, and tried again later. None is
   * begun while `isOvertaken`: what waits for this is more urgent.
   */
  ensure(names: Iterable<string>, isOvertaken?: () => boolean): Promise<void>
  /** The names of the Secrets that the last `ensure` made. */
  made?(): ReadonlySet<string>
  /** Whether nobody has tried yet to make a Secret that is not there. */
  isToBeMade(name: string): boolean
  text(name: string): string | undefined
  fault(name: string): SecretFault | undefined
  /** Milliseconds until a refused Secret is due again, or one that was made is to be looked at; undefined without any. */
  retryAfterMs(): number | undefined
}

const WRITES_AT_ONCE = 12
/** A suspension waits for this: a server that answers no sooner is asked again in the next run. */
const TIMEOUT_MS = 5000
const TRIES = 3
/** Of all names together in one run; whoever is left is not tried in it. */
const FAILING_MS = 10_000
/** The watch has told of a Secret by then, unless it is gone. */
const SEEN_WITHIN_MS = 2000

interface Made {
  secret: V1Secret
  at: number
}

/** Secrets as last seen by the watch, and those that were made since. */
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

  /** A Secret that is deleted as soon as it is made may be told of by no event: another run looks whether it is there. */
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
    await inParallel(WRITES_AT_ONCE, missing, async (name) => {
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
  }

  /** What the watch has seen since is its own to tell; what it has not seen for long may have been deleted meanwhile. */
  async #review(names: ReadonlySet<string>): Promise<void> {
    for (const name of this.#made.keys()) if (this.#watched(name) || !names.has(name)) this.#made.delete(name)
    const now = this.#clock.elapsed()
    const old = [...this.#made].filter(([, { at }]) => now - at >= SEEN_WITHIN_MS).map(([name]) => name)
    await inParallel(WRITES_AT_ONCE, old, async (name) => {
      const secret = await findClientSecret(this.#place, name)
      if (secret) this.#made.set(name, { secret, at: now })
      else this.#made.delete(name)
    })
  }

  async #make(name: string): Promise<void> {
    const secret = await trying(this.#clock, async () => {
      const created = await createClientSecret(this.#place, name, TIMEOUT_MS)
      if (created) this.created.add(name)
      return created ?? (await findClientSecret(this.#place, name))
    })
    if (secret) this.#made.set(name, { secret, at: this.#clock.elapsed() })
    else this.#ofOtherType.add(name)
  }
}

/** A server that is busy or broken may answer the next time; one that refuses does not. */
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
