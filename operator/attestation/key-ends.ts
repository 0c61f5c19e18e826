import { Gauge, type Registry } from 'prom-client'
import type { TrustedKey } from '#rates/published/attestation.ts'

const DAY_SECONDS = 86_400

/** Shows when the last key of each environment expires; environments with a key that has no last day are left out. */
export function showKeyEnds(registry: Registry, keys: readonly TrustedKey[]): void {
  const gauge = new Gauge({
    name: 'driveaway_attestation_keys_end_timestamp_seconds',
    help: 'When the last trusted key of the environment stops signing; then nothing can be promoted from that environment.',
    labelNames: ['environment'] as const,
    registers: [registry],
  })
  for (const [environment, own] of Map.groupBy(keys, (key) => key.environment)) {
    // The last day is included in full.
    const ends = own.map(({ signsUntil }) =>
      signsUntil === undefined ? Infinity : Date.parse(signsUntil) / 1000 + DAY_SECONDS,
    )
    const last = Math.max(...ends)
    if (Number.isFinite(last)) gauge.set({ environment }, last)
  }
}
