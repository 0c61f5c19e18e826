/**
 * What rate sets need of promotion, which attestation/ brings: a gate that asks for an attestation, where this environment
 * publishes what another has proved, and an attester, where this environment proves it.
 */
import type { Attested } from '#rates/published/attestation.ts'
import type { RateSetEntry, RatesIndex } from '#rates/published/format.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { MakeEvaluate } from './assignment.ts'

/** Lets only those contents through that another environment attested, or that were published here before. */
export interface Gate {
  /** Says of contents, by name and digest, whether they were published here before, or were about to be. */
  admitted: (cluster: Cluster) => Promise<(name: string, digest: string) => boolean>
  /** For one publication run, which begins from this index. */
  open: (cluster: Cluster, index: RatesIndex | undefined) => Promise<OpenGate>
}

/** Why and until when a content is published that staging has not attested. */
export interface Emergency {
  kid: string
  reason: string
  /** ISO. */
  until: string
}

export interface OpenGate {
  /** The same checks, and after them the one for an attestation. */
  guard: (evaluate: MakeEvaluate) => MakeEvaluate
  /**
   * Remembers what is about to be published, before the index names it; throws where something of it was neither attested
   * nor published before.
   */
  remember: (entries: readonly RateSetEntry[]) => Promise<void>
  /** The emergency on which a content of a set is published, where it is one. */
  emergencyOf: (name: string, digest: string) => Emergency | undefined
}

/** What may be attested, as of now. */
export interface Soaking extends Attested {
  /** When every API process first served it, ISO; absent before that. */
  servedSince?: string
  /** Whether it is ready, and every API process serves it at this moment. */
  isInForce: boolean
  /** What was attested of this digest before. */
  attestation?: string
}

/** The attestation of a digest, where there is one, and in how many milliseconds to look again. */
export interface AttestationFound {
  attestation?: string
  after?: number
}

export interface Attester {
  attest: (soaking: Soaking) => Promise<AttestationFound>
}
