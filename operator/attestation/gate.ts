import type { Fault } from '#rates/checks/fault.ts'
import {
  ATTESTATION_ANNOTATION,
  AttestationFault,
  verifyAttestation,
  type Attested,
  type Trust,
} from '#rates/published/attestation.ts'
import { readEmergency, timeOf, verifyEmergency, type EmergencyTrust } from '#rates/published/emergency.ts'
import { shortHex } from '#rates/published/encode-rates.ts'
import type { RateSetEntry } from '#rates/published/format.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { passes, type Assignment, type Contents, type MakeEvaluate } from '../rate-set/assignment.ts'
import { EMERGENCY_REFUSED, NOT_ATTESTED } from '../rate-set/checks.ts'
import type { Emergency, Gate, OpenGate } from '../rate-set/promotion.ts'
import {
  admissionOf,
  admit,
  isAdmitted,
  normalised,
  type Admission,
  type Admitted,
  type Attestedness,
} from './admitted.ts'
import { readAdmitted, writeAdmitted, type StoredRecord } from './admitted-record.ts'

/** The keys and environments that a gate trusts. */
export type GateTrust = Omit<Trust, 'now'> & { emergency?: EmergencyTrust }

/** A gate that trusts these keys and environments. */
export function attestationGate(trust: GateTrust, now: () => Date): Gate {
  return {
    admitted: async (cluster) => {
      const { admitted } = await readAdmitted(cluster)
      return (name, digest) => isAdmitted(admitted, name, digest)
    },
    open: async (cluster, index) => {
      const record = await readAdmitted(cluster)
      return new Opened({ cluster, record, present: index?.sets ?? [], trust, now })
    },
  }
}

interface Surroundings {
  cluster: Cluster
  record: StoredRecord
  /** What is in force. */
  present: readonly RateSetEntry[]
  trust: GateTrust
  now: () => Date
}

class Opened implements OpenGate {
  readonly #surroundings: Surroundings
  readonly #admitted: Admitted
  /** The contents that this run verified, by digest. */
  readonly #verified = new Map<string, Attestedness>()

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    const at = surroundings.now().toISOString()
    this.#admitted = admit(surroundings.record.admitted, surroundings.present, (_, digest) => ({ digest, at }))
  }

  guard(evaluate: MakeEvaluate): MakeEvaluate {
    return (contents) => {
      const check = evaluate(contents)
      return async (name, assignment) => {
        const found = await check(name, assignment)
        return passes(found) ? this.#attested(contents, name, assignment) : found
      }
    }
  }

  async remember(entries: readonly RateSetEntry[]): Promise<void> {
    const unproved = entries.find(
      ({ name, digest }) => !this.#verified.has(digest) && !isAdmitted(this.#admitted, name, digest),
    )
    // Whatever the cause, a damaged shard or a defect of this program, the index in force is better than this one.
    if (unproved) throw new Error(`${unproved.name} at ${unproved.digest} is not attested: nothing is published`)
    const at = this.#surroundings.now().toISOString()
    const proved = new Map([...this.#verified].filter(([, { emergency }]) => !emergency))
    const next = admit(normalised(this.#admitted, proved), entries, (_, digest) => ({
      digest,
      at,
      ...this.#verified.get(digest),
    }))
    if (next !== this.#surroundings.record.admitted)
      await writeAdmitted(this.#surroundings.cluster, this.#surroundings.record, next)
  }

  async #attested(contents: Contents, name: string, assignment: Assignment): Promise<Fault[]> {
    const spec = contents.spec(name, assignment)
    if (!spec) return []
    const { pricingCode, financialYear } = spec
    const digest = contents.digest(name, assignment)
    const admission = admissionOf(this.#admitted, name, digest)
    if (admission && !admission.emergency) return []
    const token = contents.candidates.get(name)?.attestation
    try {
      this.#verified.set(digest, await this.#claimsOf(token, { pricingCode, financialYear, digest }))
      return []
    } catch (error) {
      if (!(error instanceof AttestationFault)) throw error
      if (admission && this.#stays(name, admission)) return []
      const message = `${error.message}${withImports(contents, name, assignment)}`
      const check = token && this.#isRefusedEmergency(name, digest, token) ? EMERGENCY_REFUSED : NOT_ATTESTED
      return [{ check, path: '', message }]
    }
  }

  emergencyOf(name: string, digest: string): Emergency | undefined {
    const verified = this.#verified.get(digest)
    return verified ? verified.emergency : admissionOf(this.#admitted, name, digest)?.emergency
  }

  /**
   * Whether somebody signed an emergency attestation for this content in vain. An emergency attestation of an earlier
   * content was accepted; it only stays in the annotation, and a later content (also of an import) waits for staging.
   */
  #isRefusedEmergency(name: string, digest: string, token: string): boolean {
    const emergency = readEmergency(token)
    if (!emergency) return false
    const { claims } = emergency
    return claims.digest === digest || admissionOf(this.#admitted, name, claims.digest) === undefined
  }

  /** A content published in an emergency stays published; after the end of the emergency it is not published again. */
  #stays(name: string, { digest, emergency }: Admission): boolean {
    const isInForce = this.#surroundings.present.some((each) => each.name === name && each.digest === digest)
    return isInForce || (emergency !== undefined && Date.parse(emergency.until) > this.#surroundings.now().getTime())
  }

  async #claimsOf(token: string | undefined, content: Attested): Promise<Attestedness> {
    const { trust, now } = this.#surroundings
    if (!token) throw new AttestationFault(`there is no annotation ${ATTESTATION_ANNOTATION} for ${content.digest}`)
    const emergency = trust.emergency && readEmergency(token)
    if (emergency) {
      const { kid, claims } = emergency
      await verifyEmergency(token, emergency, content, { ...(trust.emergency as EmergencyTrust), now: now() })
      const until = timeOf(claims.exp)
      return { kid, issuedAt: timeOf(claims.iat), emergency: { kid, reason: claims.reason, until } }
    }
    const { kid, claims } = await verifyAttestation(token, content, { ...trust, now: now() })
    return { kid, environment: claims.environment, issuedAt: new Date(claims.iat * 1000).toISOString() }
  }
}

/** An attestation covers a set together with its imports, so the message names both. */
function withImports(contents: Contents, name: string, assignment: Assignment): string {
  const imports = contents.importedSets(name, assignment).map((each) => `${each.name} at ${shortHex(each.digest)}`)
  return imports.length > 0 ? ` (with ${imports.join(', ')})` : ''
}
