import { AttestationFault, readAttestation } from '#rates/published/attestation.ts'
import { readEmergency } from '#rates/published/emergency.ts'

/** One rate set of the files to promote. */
export interface Promoted {
  name: string
  pricingCode: string
  financialYear: string
  digest: string
  /** Names of the sets that it imports. */
  imports: readonly string[]
}

/** What the attesting cluster reports of a rate set. */
export interface Staged {
  digest?: string
  attestation?: string
  servedSince?: string
  conditions?: readonly { type: string; status: string; message: string }[]
}

/** The outcome for one rate set. */
export interface Step {
  name: string
  digest: string
  result: 'written' | 'unchanged' | 'refused'
  /** Why the set is refused. */
  reason?: string
  attestation?: string
  environment?: string
  kid?: string
  /** ISO date-time of the attestation. */
  attestedAt?: string
}

export interface Surroundings {
  /** By name of the rate set. */
  staged: ReadonlyMap<string, Staged>
  /** The attestations in the overlay, by name. */
  overlay: ReadonlyMap<string, string>
  /** Why an attested set must not be promoted all the same, by name. */
  objections: ReadonlyMap<string, string>
}

/**
 * Decides what promotion does with each set, imported sets first: it copies the attestation of exactly this content, or
 * says why there is none.
 */
export function planPromotion(sets: readonly Promoted[], surroundings: Surroundings): Step[] {
  const steps = new Map<string, Step>()
  const importedFirst = sets.toSorted((a, b) => a.imports.length - b.imports.length || (a.name < b.name ? -1 : 1))
  for (const set of importedFirst) {
    const refused = set.imports.find((name) => steps.get(name)?.result === 'refused')
    steps.set(set.name, stepOf(set, surroundings, refused))
  }
  return [...steps.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function stepOf(set: Promoted, surroundings: Surroundings, refusedImport: string | undefined): Step {
  const { name, digest } = set
  const kept = surroundings.overlay.get(name)
  const stays = kept !== undefined && readEmergency(kept) ? '; keeping the emergency attestation' : ''
  const refused = (reason: string): Step => ({ name, digest, result: 'refused', reason: `${reason}${stays}` })
  const standing = kept === undefined ? undefined : attestedOn(set, kept)
  if (kept !== undefined && standing?.fault === undefined)
    return { name, digest, result: 'unchanged', ...standing?.attested, attestation: kept }
  const { attestation, reason } = offered(surroundings.staged.get(name), set)
  if (attestation === undefined) return refused(reason)
  const { attested, fault } = attestedOn(set, attestation)
  if (fault !== undefined) return refused(fault)
  if (refusedImport !== undefined) return refused(`it imports ${refusedImport}, which was refused`)
  const objection = surroundings.objections.get(name)
  return objection === undefined ? { name, digest, result: 'written', ...attested, attestation } : refused(objection)
}

/** The cluster's attestation of this content, or why there is none. */
function offered(staged: Staged | undefined, { digest }: Promoted): { attestation?: string; reason: string } {
  if (!staged) return { reason: 'the cluster has no rate set with this name' }
  const ready = staged.conditions?.find(({ type }) => type === 'Ready')
  if (staged.digest !== digest) {
    const because = ready?.status === 'False' ? `; it says: ${ready.message}` : ''
    return {
      reason: `the cluster publishes ${staged.digest ?? 'no content of this set'}; the digest of the files is ${digest}${because}`,
    }
  }
  if (staged.attestation !== undefined) return { attestation: staged.attestation, reason: '' }
  if (ready?.status === 'False')
    return { reason: `published there, but its newest content was refused: ${ready.message}` }
  const { servedSince } = staged
  const soaks =
    servedSince === undefined ? 'not every process serves it yet' : `every process has served it since ${servedSince}`
  return { reason: `published there but not attested yet: ${soaks}` }
}

interface Read {
  attested?: Pick<Step, 'environment' | 'kid' | 'attestedAt'>
  fault?: string
}

/**
 * What an attestation states, or why it is not about this content. Only production verifies the signature: it has the
 * keys.
 */
function attestedOn(set: Promoted, token: string): Read {
  try {
    const { kid, claims } = readAttestation(token)
    const { environment, iat } = claims
    const isOther = (['pricingCode', 'financialYear', 'digest'] as const).find((field) => claims[field] !== set[field])
    if (isOther) return { fault: `the attestation is of ${isOther} ${claims[isOther]}, not ${set[isOther]}` }
    return { attested: { environment, kid, attestedAt: new Date(iat * 1000).toISOString() } }
  } catch (error) {
    if (error instanceof AttestationFault) return { fault: error.message }
    throw error
  }
}
