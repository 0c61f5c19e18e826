import { createHash } from 'node:crypto'
import type { KV } from '@nats-io/kv'
import { isConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'

/** What a client's idempotency key stands for: the body it came with first, and the job that body was given. */
export interface Claim {
  hash: string
  jobId: string
}

export interface IdempotencyKeys {
  /** Claims a key of a client for 24 hours; gives the claim that holds, this one or the first. */
  claim(clientUid: string, key: string, claim: Claim): Promise<Claim>
}

export function idempotencyKeysIn(bucket: KV): IdempotencyKeys {
  return {
    claim: async (clientUid, key, claim) => {
      // Hashed, because a key of 255 characters would be longer than a subject should be.
      const name = keyOf(clientUid, hashOf(key))
      try {
        await bucket.put(name, JSON.stringify(claim), { previousSeq: 0 })
        return claim
      } catch (error) {
        if (!isConflict(error)) throw error
      }
      const entry = await bucket.get(name)
      return entry ? entry.json<Claim>() : claim
    },
  }
}

/** SHA-256 as base64url. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
