import { V1MicroTime, type KubernetesObject } from '@kubernetes/client-node'

/** coordination.k8s.io/v1, as it is on the wire: times are strings. */
export interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    leaseTransitions?: number
  }
}

/** A lease as this process saw it, and when it saw it change, by its own monotonic clock in milliseconds. */
export interface Observation {
  lease: Lease
  changedAt: number
}

/**
 * What is known after reading `lease` at `now`. Only that the record changed matters, not the times in it: the clocks
 * of two machines are never compared (as client-go does it).
 */
export function observe(previous: Observation | undefined, lease: Lease, now: number): Observation {
  const isSame = previous?.lease.metadata?.resourceVersion === lease.metadata?.resourceVersion
  return isSame && previous ? previous : { lease, changedAt: now }
}

/** The longest duration that anybody configures, in seconds: a longer one was written by hand, and could last for years. */
export const MAX_LEASE_SECONDS = 300

/** Whether `identity` may write itself into the lease: it is its own, free, or not renewed for its duration. */
export function mayTake({ lease, changedAt }: Observation, identity: string, now: number): boolean {
  const { holderIdentity, leaseDurationSeconds = 0 } = lease.spec ?? {}
  const seconds = Math.min(leaseDurationSeconds, MAX_LEASE_SECONDS)
  return !holderIdentity || holderIdentity === identity || now >= changedAt + seconds * 1000
}

/** The spec by which `identity` takes or renews a lease of `leaseMs` milliseconds. */
export function taken(
  lease: Lease | undefined,
  { identity, leaseMs, now }: { identity: string; leaseMs: number; now: Date },
): NonNullable<Lease['spec']> {
  const { holderIdentity, acquireTime, leaseTransitions = 0 } = lease?.spec ?? {}
  const isOurs = holderIdentity === identity
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(leaseMs / 1000),
    acquireTime: isOurs && acquireTime ? acquireTime : microTime(now),
    renewTime: microTime(now),
    leaseTransitions: isOurs || !lease ? leaseTransitions : leaseTransitions + 1,
  }
}

/** The spec of a lease given up: anyone may take it at once. */
export function released(lease: Lease, at: Date): NonNullable<Lease['spec']> {
  const { leaseTransitions = 0 } = lease.spec ?? {}
  const now = microTime(at)
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions }
}

// MicroTime has exactly six decimals; a Date has three.
function microTime(now: Date): string {
  return new V1MicroTime(now).toISOString()
}
