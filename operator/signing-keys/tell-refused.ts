import { Counter, type Registry } from 'prom-client'
import type { Logger } from '#runtime/log.ts'
import type { Announce } from '../status/events.ts'

/** An object that contains unusable signing keys. */
export interface RefusedKeys {
  kind: 'Secret' | 'ConfigMap'
  name: string
  uid: string
  /**
   * Positions of the unusable keys in the list, or that the text cannot be parsed. Never their content, which may be
   * private.
   */
  places: string
}

interface RefusedKeySurroundings {
  namespace: string
  announce: Announce
  log: Logger
  registry: Registry
}

/** Reports keys that are refused and replaced: in the log, as an event of their object, and as a metric. */
export function refusedKeyTeller({ namespace, announce, log, registry }: RefusedKeySurroundings) {
  const name = 'driveaway_signing_keys_refused_total'
  const known = registry.getSingleMetric(name) as Counter | undefined
  const counter =
    known ?? new Counter({ name, help: 'Times that stored signing keys could not be used.', registers: [registry] })
  return ({ kind, name, uid, places }: RefusedKeys): void => {
    counter.inc()
    const message = `${places} of ${kind} ${name} cannot be used and was replaced: no token is signed or verified with the unusable keys`
    log.error({ kind, name }, message)
    const told = { type: 'Refused', status: 'True', reason: 'SigningKeyRefused', message } as const
    void announce({ apiVersion: 'v1', kind, metadata: { name, namespace, uid } }, [
      { ...told, lastTransitionTime: '', observedGeneration: 0 },
    ])
  }
}
