/**
 * The two parts of promotion that rate sets use, implemented in attestation/. The gate requires an attestation where
 * this environment publishes what another one has proved; the attester issues one where this environment proves it.
 */
import type { Attested } from '#rates/published/attestation.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { MakeEvaluate } from './assignment.ts'

/** Admits only contents that another environment attested or that were published here before. */
export interface Gate {
  /** Returns whether a content, by name and digest, was published here before or was about to be. */
  admitted: (cluster: Cluster) => Promise<(name: string, digest: string) => boolean>
  /** Opens the gate for one publication run, which starts from this index. */
  open: (cluster: Cluster, index: RatesIndex | undefined) => Promise<OpenGate>
}

/** The key, the reason and the end of an emergency attestation: it publishes a content without staging. */
export interface Emergency {
  kid: string
  reason: string
  /** ISO date-time. */
  until: string
}

export interface OpenGate {
  /** Adds a check that runs last: whether the content is attested. */
  guard: (evaluate: MakeEvaluate) => MakeEvaluate
  /**
   * Records what is about to be published, before the index names it. Throws when an entry was neither attested nor
   * published before.
   */
  remember: (entries: readonly RateSetEntry[]) => Promise<void>
  /** The emergency attestation on which a set's content is published, if any. */
  emergencyOf: (name: string, digest: string) => Emergency | undefined
}

/** A published content that may be attested, and its state now. */
export interface Soaking extends Attested {
  /** ISO date-time at which every API process first served it; absent until then. */
  servedSince?: string
  /** Whether it is Ready and every API process serves it now. */
  isInForce: boolean
  /** The earlier attestation of this digest. */
  attestation?: string
}

/** The attestation of a digest, if there is one, and the milliseconds until it is checked again. */
export interface AttestationFound {
  attestation?: string
  after?: number
}

export interface Attester {
  attest: (soaking: Soaking) => Promise<AttestationFound>
}
