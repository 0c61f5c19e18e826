import type { V1Secret } from '@kubernetes/client-node'
import { inParallel } from '#runtime/in-parallel.ts'
import { createClientSecret, findClientSecret, secretFault, secretText, type SecretPlace } from './client-secret.ts'

/** The Secrets of clients, made where there are none. */
export interface ClientSecrets {
  /** Makes each Secret that is not there. */
  ensure(names: Iterable<string>): Promise<void>
  text(name: string): string | undefined
  fault(name: string): { check: string; message: string } | undefined
}

const WRITES_AT_ONCE = 12

/** Secrets as last seen by the watch, and those that were made since. */
export function clientSecrets(place: SecretPlace, seen: (name: string) => V1Secret | undefined): ClientSecrets {
  const made = new Map<string, V1Secret>()
  const taken = new Set<string>()
  const held = (name: string) => seen(name) ?? made.get(name)

  const ensureOne = async (name: string) => {
    const secret = (await createClientSecret(place, name)) ?? (await findClientSecret(place, name))
    if (secret) made.set(name, secret)
    else taken.add(name)
  }
  return {
    ensure: async (names) => {
      taken.clear()
      // What the watch has seen since is its own to tell, deletion included.
      for (const name of made.keys()) if (seen(name)) made.delete(name)
      await inParallel(
        WRITES_AT_ONCE,
        [...new Set(names)].filter((name) => !held(name)),
        ensureOne,
      )
    },
    text: (name) => {
      const secret = held(name)
      return secret && secretText(secret)
    },
    fault: (name) => {
      if (taken.has(name))
        return { check: 'client-secret', message: `Secret ${name} is of another type, and is not read` }
      const secret = held(name)
      return secretFault(name, secret && secretText(secret))
    },
  }
}
