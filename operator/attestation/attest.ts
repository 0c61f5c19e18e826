import type { Logger } from '#runtime/log.ts'
import { AttestationFault, signAttestation, verifyAttestation } from '#rates/published/attestation.ts'
import type { AttestationFound, Attester, Soaking } from '../rate-set/promotion.ts'
import type { SigningKey } from './signing-key.ts'

/** How this environment attests. */
export interface AttestationTerms {
  environment: string
  /** Milliseconds that every API process has served a digest. */
  soakMs: number
  /** Milliseconds from issue to expiry. */
  lifetimeMs: number
}

const AFTER_FAULT_MS = 60_000
/** A key that is rotated and a clock that is set are noticed within this time; a timer may not exceed 2^31 ms anyway. */
const AFTER_AT_MOST_MS = 600_000

/** Attests what has soaked; renews an attestation when half of its time has gone, or when the key is another. */
export function attester(
  terms: AttestationTerms,
  { readKey, now, log }: { readKey: () => Promise<SigningKey>; now: () => Date; log: Logger },
): Attester {
  return {
    attest: async (soaking) => {
      try {
        // Read each time: the file is a mounted Secret, and changes in place when the key is rotated.
        const { after, ...found } = await attest(soaking, { terms, key: await readKey(), now: now() })
        return after === undefined ? found : { ...found, after: Math.min(after, AFTER_AT_MOST_MS) }
      } catch (error) {
        log.error({ reason: (error as Error).message, digest: soaking.digest }, 'could not attest')
        return { ...held(soaking.attestation), after: AFTER_FAULT_MS }
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
  const fresh = await untilRenewal(soaking, moment)
  const present = fresh === undefined ? {} : held(soaking.attestation)
  if (fresh !== undefined && fresh > 0) return { ...present, after: fresh }
  const { servedSince, isInForce } = soaking
  if (servedSince === undefined || !isInForce) return present
  const left = Date.parse(servedSince) + moment.terms.soakMs - moment.now.getTime()
  if (left > 0) return { ...present, after: left }
  return { attestation: await signed(soaking, moment), after: moment.terms.lifetimeMs / 2 }
}

/** Milliseconds until the present attestation is renewed; undefined where there is none, or none of ours. */
async function untilRenewal(soaking: Soaking, { terms, key, now }: Moment): Promise<number | undefined> {
  const { environment, lifetimeMs } = terms
  if (soaking.attestation === undefined) return undefined
  try {
    const keys = [{ kid: key.kid, environment, key: key.publicKey }]
    const trust = { keys, environments: [environment], now }
    const { claims } = await verifyAttestation(soaking.attestation, soaking, trust)
    return Math.max(0, claims.exp * 1000 - lifetimeMs / 2 - now.getTime())
  } catch (error) {
    if (error instanceof AttestationFault) return undefined
    throw error
  }
}

function signed({ pricingCode, financialYear, digest }: Soaking, { terms, key, now }: Moment): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + Math.floor(terms.lifetimeMs / 1000)
  return signAttestation({ environment: terms.environment, pricingCode, financialYear, digest, iat, exp }, key)
}

function held(attestation: string | undefined): AttestationFound {
  return attestation === undefined ? {} : { attestation }
}
