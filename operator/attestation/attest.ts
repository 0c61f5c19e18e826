import type { Logger } from '#runtime/log.ts'
import { AttestationFault, signAttestation, verifyAttestation } from '#rates/published/attestation.ts'
import type { AttestationFound, Attester, Soaking } from '../rate-set/promotion.ts'
import type { SigningKey } from '#rates/published/signing-key-file.ts'

/** How this environment attests. */
export interface AttestationTerms {
  environment: string
  /** Milliseconds for which every API process must have served a digest. */
  soakMs: number
}

const AFTER_FAULT_MS = 60_000
/** A rotated key or a changed clock is noticed within this time. A timer may not exceed 2^31 ms anyway. */
const AFTER_AT_MOST_MS = 600_000

/** Attests a content once it has soaked, and again when the key has changed. */
export function attester(
  terms: AttestationTerms,
  { readKey, now, log }: { readKey: () => Promise<SigningKey>; now: () => Date; log: Logger },
): Attester {
  return {
    attest: async (soaking) => {
      try {
        // Read each time: the file is a mounted Secret, whose content changes when the key is rotated.
        const { after, ...found } = await attest(soaking, { terms, key: await readKey(), now: now() })
        return after === undefined ? found : { ...found, after: Math.min(after, AFTER_AT_MOST_MS) }
      } catch (error) {
        log.error({ reason: (error as Error).message, digest: soaking.digest }, 'could not attest')
        return { ...attestationFound(soaking.attestation), after: AFTER_FAULT_MS }
      }
    },
  }
}

interface Moment {
  terms: AttestationTerms
  key: SigningKey
  now: Date
}

async function attest(soaking: Soaking, moment: Moment): Promise<AttestationFound> {
  if (await isAttested(soaking, moment)) return { ...attestationFound(soaking.attestation), after: AFTER_AT_MOST_MS }
  const { servedSince, isInForce } = soaking
  if (servedSince === undefined || !isInForce) return {}
  const left = Date.parse(servedSince) + moment.terms.soakMs - moment.now.getTime()
  if (left > 0) return { after: left }
  return { attestation: await signed(soaking, moment), after: AFTER_AT_MOST_MS }
}

/** Whether the current attestation is for this content and by the current key. */
async function isAttested(soaking: Soaking, { terms, key, now }: Moment): Promise<boolean> {
  const { environment } = terms
  if (soaking.attestation === undefined) return false
  try {
    const keys = [{ kid: key.kid, environment, key: key.publicKey }]
    await verifyAttestation(soaking.attestation, soaking, { keys, environments: [environment], now })
    return true
  } catch (error) {
    if (error instanceof AttestationFault) return false
    throw error
  }
}

function signed({ pricingCode, financialYear, digest }: Soaking, { terms, key, now }: Moment): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000)
  return signAttestation({ environment: terms.environment, pricingCode, financialYear, digest, iat }, key)
}

function attestationFound(attestation: string | undefined): AttestationFound {
  return attestation === undefined ? {} : { attestation }
}
