import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { DEFAULT_MOST_HOURS, LONGEST_REASON, MOST_HOURS, signEmergency, timeOf } from '#rates/published/emergency.ts'
import { WrongCall } from '../help.ts'
import type { Promoted, Step } from './plan.ts'

/** The options of a person who does not wait for staging. */
export interface EmergencyCall {
  /** Names of the rate sets. */
  sets: readonly string[]
  reason: string | undefined
  keyFile: string | undefined
  hours: string
}

/** Signs the content that the files have for the named sets only. Throws WrongCall. */
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
    // Errors of the file system get their message where all commands do.
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

/** A warning about the duration before the merge, since production would refuse the signature only afterwards. */
export const hoursNote = (hours: string): string | undefined =>
  Number(hours) > DEFAULT_MOST_HOURS
    ? `--hours ${hours}: production accepts at most promotion.emergencyHours, which is ${DEFAULT_MOST_HOURS} unless its values say otherwise`
    : undefined
