import { Registry } from 'prom-client'
import { ConfigurationError } from '#runtime/configuration.ts'
import type { Logger } from '#runtime/log.ts'
import type { Configuration } from '../configuration.ts'
import type { Attester, Gate } from '../rate-set/promotion.ts'
import { attester } from './attest.ts'
import { attestationGate } from './gate.ts'
import { readSigningKey } from '#rates/published/signing-key-file.ts'
import { showKeyEnds } from './key-ends.ts'
import { readEmergencyKeys, readTrustedKeys } from './trusted-keys.ts'

/** Both sides of promotion. An environment in the middle has both; a standalone environment has neither. */
export interface Promotion {
  attester?: Attester
  gate?: Gate
}

/**
 * Builds promotion from the configuration and reads the signing key once; throws ConfigurationError with all faults.
 */
export async function promotionOf(
  configuration: Configuration,
  log: Logger,
  registry = new Registry(),
): Promise<Promotion> {
  const faults: string[] = []
  const now = () => new Date()
  const promotion = {
    ...(await attesterOf(configuration, { now, log, faults })),
    ...(await gateOf(configuration, { now, registry, faults })),
  }
  if (faults.length > 0) throw new ConfigurationError(faults)
  return promotion
}

async function attesterOf(
  { environment, attestationKeyFile, attestationSoakSeconds }: Configuration,
  { now, log, faults }: { now: () => Date; log: Logger; faults: string[] },
): Promise<{ attester?: Attester }> {
  if (attestationKeyFile === '') return {}
  if (environment === '') faults.push('ENVIRONMENT is not set; expected the environment name for attestations')
  const readKey = () => readSigningKey(attestationKeyFile, 'attestation')
  await readKey().catch((error: Error) => faults.push(`SIGNING_ATTESTATION_KEY_FILE: ${error.message}`))
  const terms = { environment, soakMs: attestationSoakSeconds * 1000 }
  return { attester: attester(terms, { readKey, now, log }) }
}

async function gateOf(
  {
    promotionRequired,
    promotionTrustedKeys,
    promotionEnvironments: environments,
    promotionEmergencyKeys,
    promotionEmergencyHours,
  }: Configuration,
  { now, registry, faults }: { now: () => Date; registry: Registry; faults: string[] },
): Promise<{ gate?: Gate }> {
  if (!promotionRequired) return {}
  const read = await readTrustedKeys(promotionTrustedKeys)
  faults.push(...read.faults.map((fault) => `PROMOTION_TRUSTED_KEYS: ${fault}`))
  if (read.faults.length === 0 && read.keys.length === 0)
    faults.push('PROMOTION_TRUSTED_KEYS is empty; expected a key whose attestations count')
  if (environments.length === 0)
    faults.push('PROMOTION_ENVIRONMENTS is not set; expected the environments whose attestations count')
  const emergency = await readEmergencyKeys(promotionEmergencyKeys)
  faults.push(...emergency.faults.map((fault) => `PROMOTION_EMERGENCY_KEYS: ${fault}`))
  if (emergency.keys.some(({ kid }) => read.keys.some((each) => each.kid === kid)))
    faults.push('PROMOTION_EMERGENCY_KEYS: a kid is also in PROMOTION_TRUSTED_KEYS')
  showKeyEnds(registry, read.keys)
  const longestSeconds = promotionEmergencyHours * 3600
  const trust = { keys: read.keys, environments, emergency: { keys: emergency.keys, longestSeconds } }
  return { gate: attestationGate(trust, now) }
}
