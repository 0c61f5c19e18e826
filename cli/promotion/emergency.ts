import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { DEFAULT_MOST_HOURS, LONGEST_REASON, MOST_HOURS, signEmergency, timeOf } from '#rates/published/emergency.ts'
import { WrongCall } from '../help.ts'
import type { Promoted, Step } from './plan.ts'

/** What a person says who does not wait for staging. */
export interface EmergencyCall {
  /** Names of the rate sets. */
  sets: readonly string[]
  reason: string | undefined
  keyFile: string | undefined
  hours: string
}

/** Signs what the files say of the named sets, and of no other; throws WrongCall. */
export async function signEmergencies(
  promoted: readonly Promoted[],
  { sets, reason = '', keyFile, hours }: EmergencyCall,
  now: Date,
): Promise<Step[]> {
  if (keyFile === undefined || sets.length === 0) throw new WrongCall('--emergency expects --key FILE and --set NAME')
  if (reason.trim() === '' || reason.length > LONGEST_REASON)
    throw new WrongCall(`--emergency expects --reason TEXT, of at most ${LONGEST_REASON} characters`)
  const length = hoursIn(hours)
  const key = await readSigningKey(keyFile, 'emergency').catch((error: NodeJS.ErrnoException) => {
    // What the system says of a path is put into words where every command's is.
    throw error.code === undefined ? new WrongCall(error.message) : error
  })
  const iat = Math.floor(now.getTime() / 1000)
  const exp = iat + length * 3600
  const steps = sets.map(async (name): Promise<Step> => {
    const set = promoted.find((each) => each.name === name)
    if (!set) throw new WrongCall(`the files have no rate set ${name}`)
    const { pricingCode, financialYear, digest } = set
    const claims = { pricingCode, financialYear, digest, reason: reason.trim(), iat, exp }
    const attestation = await signEmergency(claims, key)
    return {
      name,
      digest,
      result: 'written',
      reason: `emergency, by key ${key.kid}, until ${timeOf(exp)}`,
      attestation,
    }
  })
  return Promise.all(steps)
}

function hoursIn(hours: string): number {
  const length = Number(hours)
  if (!Number.isInteger(length) || length < 1)
    throw new WrongCall(`--hours: expected a number of hours, found ${hours}`)
  if (length > MOST_HOURS)
    throw new WrongCall(
      `--hours: no production accepts more than ${MOST_HOURS}, the most that promotion.emergencyHours can be; found ${hours}`,
    )
  return length
}

/** What is to be known of a length before the merge: production would refuse the signature after it. */
export const hoursNote = (hours: string): string | undefined =>
  Number(hours) > DEFAULT_MOST_HOURS
    ? `--hours ${hours}: production accepts at most promotion.emergencyHours, which is ${DEFAULT_MOST_HOURS} unless its values say otherwise`
    : undefined
