import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { ATTESTATION_ANNOTATION, type AttestationClaims } from '#rates/published/attestation.ts'
import { rateSetDigest, type ImportedSet } from '#rates/published/encode-rates.ts'
import { rateSetName } from '#rates/published/financial-year.ts'
import { applyObject } from '#runtime/kube/apply.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { World } from '../world.ts'
import { attested, type AttestingKey } from './keys.ts'

/** The settings of an operator that publishes only what one of these keys attested. */
export const requiring = (keys: readonly AttestingKey[], environments = ['staging']) => ({
  PROMOTION_REQUIRED: 'true',
  PROMOTION_TRUSTED_KEYS: JSON.stringify(keys.map(({ trusted }) => trusted)),
  PROMOTION_ENVIRONMENTS: environments.join(','),
})

/** Applies a set as a GitOps tool would, with this attestation or without any. */
export async function applyAttested(world: World, spec: RateSetSpec, attestation?: string): Promise<void> {
  const annotations: Record<string, string> = attestation === undefined ? {} : { [ATTESTATION_ANNOTATION]: attestation }
  const name = rateSetName(spec.pricingCode, spec.financialYear)
  const metadata = { name, namespace: 'driveaway', annotations }
  const object = { apiVersion: 'rates.driveaway.dev/v1alpha1', kind: 'RateSet', metadata, spec }
  await applyObject(world.controlPlane.kubeConfig, object, { fieldManager: 'test', force: true })
}

/** The attested digest of a set with the federal set that it imports. */
export function digestWith(spec: RateSetSpec, federal?: RateSetSpec): string {
  const imports: ImportedSet[] = federal ? [{ name: 'au', pricingCode: 'AU', digest: rateSetDigest(federal, []) }] : []
  return rateSetDigest(spec, imports)
}

/** `exp` is what attestations of the first version carry. */
export type About = Partial<AttestationClaims> & { exp?: number; by: AttestingKey; federal?: RateSetSpec }

/** An attestation of a set with the federal set that it imports, with some claims changed. */
export function attestationOf(spec: RateSetSpec, { by, federal, ...claims }: About): Promise<string> {
  const { pricingCode, financialYear } = spec
  return attested(by, { pricingCode, financialYear, digest: digestWith(spec, federal), ...claims })
}

/** Waits until a set is held for want of an attestation, for exactly this reason. */
export async function untilRefused(
  world: World,
  name: string,
  message: string,
  reason = 'AwaitingAttestation',
): Promise<void> {
  await waitFor(
    `${name} to be ${reason}: ${message}`,
    async () => {
      const ready = await world.until('RateSet', name, ['Ready', 'False', reason])
      if (ready.message === message) return true
      throw new Error(ready.message)
    },
    { timeoutMs: 20_000 },
  )
}

/** Reads the index over and over; `stop` gives every digest of every set that it ever named. */
export function keepDigests(world: World) {
  const seen = new Set<string>()
  let isDone = false
  const reading = (async () => {
    while (!isDone) {
      const { index } = await world.published().catch(() => ({ index: undefined }))
      for (const { digest } of index?.sets ?? []) seen.add(digest)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return async () => {
    isDone = true
    await reading
    return [...seen]
  }
}
