import { createHash } from 'node:crypto'
import type { KV, KvEntry } from '@nats-io/kv'
import { isConflict, unlessConflict } from '#runtime/nats/jetstream-error.ts'
import { keyOf } from '#runtime/nats/key.ts'
import { isObject } from './stored-shapes.ts'
import { readAs } from './unreadable.ts'

/** What a client's idempotency key refers to: the body that first used the key, and its job. */
export interface Claim {
  hash: string
  jobId: string
}

/** A claim as it is stored. */
export interface StoredClaim extends Claim {
  /** Revision of the claim in its bucket. */
  revision: number
}

export interface IdempotencyKeys {
  /** Claims a key of a client for 24 hours; returns the valid claim, this one or the first. */
  claim(clientUid: string, key: string, claim: Claim): Promise<StoredClaim>
  /** Replaces the claim of a job that was given up; returns the valid claim, this one or another that came first. */
  renew(clientUid: string, key: string, spent: Claim, claim: Claim): Promise<StoredClaim>
  /** Stores another request's claim again, so that the other request cannot release it any more. */
  confirm(clientUid: string, key: string, claim: StoredClaim): Promise<void>
  /** Removes a claim whose batch was refused, unless another request has confirmed it. */
  release(clientUid: string, key: string, claim: StoredClaim): Promise<void>
}

/** How long the mark of a removed key stays: the shortest time that the server takes. */
const MARK_STAYS = '1s'

export function idempotencyKeysIn(bucket: KV): IdempotencyKeys {
  // Hashed, because a key of 255 characters would be longer than a subject should be.
  const nameOf = (clientUid: string, key: string) => keyOf(clientUid, hashOf(key))
  const putOrRead = async (name: string, { hash, jobId }: Claim, previousSeq: number): Promise<StoredClaim> => {
    for (let expected = previousSeq; ;) {
      try {
        const revision = await bucket.put(name, JSON.stringify({ hash, jobId }), { previousSeq: expected })
        return { hash, jobId, revision }
      } catch (error) {
        // Each conflict means that another request wrote, or that its mark has gone, so this ends.
        if (!isConflict(error)) throw error
      }
      const entry = await bucket.get(name)
      const existing = claimIn(entry)
      expected = entry?.revision ?? 0
      if (existing) return { ...existing, revision: expected }
    }
  }
  return {
    claim: (clientUid, key, claim) => putOrRead(nameOf(clientUid, key), claim, 0),
    renew: async (clientUid, key, spent, claim) => {
      const name = nameOf(clientUid, key)
      const entry = await bucket.get(name)
      const existing = claimIn(entry)
      return existing && existing.jobId !== spent.jobId
        ? { ...existing, revision: entry?.revision ?? 0 }
        : putOrRead(name, claim, entry?.revision ?? 0)
    },
    confirm: async (clientUid, key, claim) => void (await putOrRead(nameOf(clientUid, key), claim, claim.revision)),
    release: async (clientUid, key, { revision }) => {
      const mark = { previousSeq: revision, ttl: MARK_STAYS }
      await bucket.purge(nameOf(clientUid, key), mark).catch(unlessConflict)
    },
  }
}

const isClaim = (value: unknown): value is Claim =>
  isObject(value) && typeof value['hash'] === 'string' && typeof value['jobId'] === 'string'

/** Undefined also where the claim cannot be read: the key is then claimed anew. */
const claimIn = (entry: KvEntry | null): Claim | undefined =>
  entry?.operation === 'PUT' ? readAs(entry.string(), JSON.parse, isClaim) : undefined

/** SHA-256 as base64url. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')
