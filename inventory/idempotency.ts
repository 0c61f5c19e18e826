import { createHash } from 'node:crypto'
import type { KV } from '@nats-io/kv'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'

/** What a client's idempotency key refers to: the body that first used the key, and its job. */
export interface Claim {
  hash: string
  jobId: string
}

export interface IdempotencyKeys {
  /** Claims a key of a client for 24 hours; returns the valid claim, this one or the first. */
  claim(clientUid: string, key: string, claim: Claim): Promise<Claim>
  /** Replaces the claim of a job that was given up; returns the valid claim, this one or another that came first. */
  renew(clientUid: string, key: string, spent: Claim, claim: Claim): Promise<Claim>
}

export function idempotencyKeysIn(bucket: KV): IdempotencyKeys {
  // Hashed, because a key of 255 characters would be longer than a subject should be.
  const nameOf = (clientUid: string, key: string) => keyOf(clientUid, hashOf(key))
  const putOrRead = async (name: string, claim: Claim, previousSeq: number): Promise<Claim> => {
    try {
      await bucket.put(name, JSON.stringify(claim), { previousSeq })
      return claim
    } catch (error) {
      if (!isConflict(error)) throw error
    }
    const entry = await bucket.get(name)
    return entry ? entry.json<Claim>() : claim
  }
  return {
    claim: (clientUid, key, claim) => putOrRead(nameOf(clientUid, key), claim, 0),
    renew: async (clientUid, key, spent, claim) => {
      const name = nameOf(clientUid, key)
      const entry = await bucket.get(name)
      const existing = entry?.json<Claim>()
      return existing && existing.jobId !== spent.jobId ? existing : putOrRead(name, claim, entry?.revision ?? 0)
    },
  }
}

/** SHA-256 as base64url. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
