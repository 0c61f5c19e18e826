import type { KubernetesObject } from '@kubernetes/client-node'

/** A Lease of coordination.k8s.io/v1 in JSON, where times are strings. */
export interface Lease extends KubernetesObject {
  spec?: {
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    leaseTransitions?: number
  }
}

/** A lease as this process read it, and when this process saw it change, in milliseconds of its own monotonic clock. */
export interface Observation {
  lease: Lease
  changedAt: number
}

/**
 * The observation after reading `lease` at `now`. Only the fact that the record changed counts, not the times in it,
 * because clocks of two machines are never compared (as in client-go).
 */
export function observe(previous: Observation | undefined, lease: Lease, now: number): Observation {
  const isSame = previous?.lease.metadata?.resourceVersion === lease.metadata?.resourceVersion
  return isSame && previous ? previous : { lease, changedAt: now }
}

/** Longest lease duration believed, in seconds. A longer one was written by hand, and could block for years. */
export const MAX_LEASE_SECONDS = 300

/**
 * Whether `identity` may write itself into the lease: it holds the lease, the lease is free, or its duration has passed
 * without a renewal.
 */
export function mayTake({ lease, changedAt }: Observation, identity: string, now: number): boolean {
  const { holderIdentity, leaseDurationSeconds = 0 } = lease.spec ?? {}
  const seconds = Math.min(leaseDurationSeconds, MAX_LEASE_SECONDS)
  return !holderIdentity || holderIdentity === identity || now >= changedAt + seconds * 1000
}

/** The spec with which `identity` acquires or renews a lease of `leaseMs` milliseconds. */
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

/** The spec of a released lease, which anyone may acquire at once. */
export function released(lease: Lease, at: Date): NonNullable<Lease['spec']> {
  const { leaseTransitions = 0 } = lease.spec ?? {}
  const now = microTime(at)
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now, leaseTransitions }
}

// A MicroTime has exactly six decimals, a Date three.
function microTime(now: Date): string {
  return now.toISOString().replace(/Z$/, '000Z')
}
