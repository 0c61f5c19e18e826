import { join } from 'node:path'
import { dollars } from '../stack/show-quote.ts'
import { waitFor } from '../stack/wait-for.ts'
import { changeFigure, driveaway, overlays } from './rates-folder.ts'
import type { RateSet, Region } from './region.ts'

const changed = 'au-act-fy27'

/** A new petrol SUV for $90,000 in Canberra, registered for a year. */
const request = {
  pricingCode: 'AU_ACT',
  showroomCode: 'CBR01',
  purchaseDate: '2026-11-01',
  vehicleGeneric: { bodyType: 'suv', fuelType: 'ICE', cylinders: 4, co2GPerKm: 150, condition: 'new' },
  pricingInputs: { dutiable: [{ description: 'Vehicle', value: 9_000_000, kind: 'vehicle' }] },
  registration: { type: 'new', startDate: '2026-11-01', termMonths: 12, postcode: '2600' },
  customer: { customerType: 'consumer', usageType: 'consumer' },
  taxDatePolicy: { outOfRange: 'error' },
}

export interface Walk {
  folder: string
  /** A kubeconfig with the contexts staging and production. */
  kubeconfig: string
  staging: Region
  production: Region
  say(line: string): void
}

/**
 * Takes one changed figure from the file through staging to production; throws when a step does not show what it
 * should.
 */
export async function walkFigure(walk: Walk): Promise<void> {
  const { folder, staging, production, say } = walk
  say('\n1. Both publish the same figures.')
  const old = await showQuote(staging, say)
  expectPlates(production.name, await showQuote(production, say), old)
  const before = (await staging.rateSet(changed)).status

  say(
    '\n2. The figure changes in the file, with the examples that prove it: plates in the ACT cost $52.00, not $50.00.',
  )
  changeFigure(folder)
  await staging.applyOverlay(join(folder, overlays.staging))
  const { digest } = await untilLoaded(staging, (status) => status.digest !== before?.digest)
  say(`   Staging checks the change and publishes ${short(digest)}.`)
  const renewed = await showQuote(staging, say)
  if (renewed === old) throw new Error('the changed figure did not reach the quotes of staging')

  say('\n3. Production gets the same files, and waits for the attestation of staging. The old price stays.')
  await production.applyOverlay(join(folder, overlays.production))
  await showWaiting(production, say)
  expectPlates(production.name, await showQuote(production, say), old)

  await promote(walk, before?.attestation)
  await production.applyOverlay(join(folder, overlays.production))
  await untilLoaded(production, (status) => status.digest === digest)
  say(`\n5. Production verifies the attestation and publishes ${short(digest)}, the content that staging proved.`)
  expectPlates(production.name, await showQuote(production, say), renewed)
  say(`\nThe figure is in production: plates ${dollars(old)} → ${dollars(renewed)}.`)
}

async function promote({ folder, kubeconfig, staging, say }: Walk, earlier: string | undefined): Promise<void> {
  await waitFor('staging to attest the new content', async () => {
    const { attestation } = (await staging.rateSet(changed)).status ?? {}
    return attestation !== undefined && attestation !== earlier
  })
  say('\n4. Staging has served the new content for the soak time and signs its digest. A person promotes:')
  const args = ['promote', '--from', 'staging', '--to', overlays.production, '--allow-past']
  say(`   $ ./driveaway ${args.join(' ')}`)
  const lines = (await driveaway(folder, args, kubeconfig)).trimEnd().split('\n')
  const shown = lines.filter((line) => line.startsWith(changed) || line.includes(' written, '))
  for (const line of shown) say(`   ${line}`)
  say(`   The attestation is in ${overlays.production}/attestations/${changed}.yaml.`)
}

/** Waits until every API process of a region serves content for which `isMeant` is true. */
async function untilLoaded(region: Region, isMeant: (status: NonNullable<RateSet['status']>) => boolean) {
  return waitFor(
    `${region.name} to serve the new content`,
    async () => {
      const status = (await region.rateSet(changed)).status ?? {}
      const loaded = status.conditions?.find(({ type }) => type === 'Loaded')
      return loaded?.status === 'True' && isMeant(status) && status
    },
    { timeoutMs: 60_000, everyMs: 250 },
  )
}

async function showWaiting(region: Region, say: Walk['say']): Promise<void> {
  const ready = await waitFor(
    `${region.name} to refuse what is not attested`,
    async () => {
      const { conditions } = (await region.rateSet(changed)).status ?? {}
      return conditions?.find(({ type, reason }) => type === 'Ready' && reason === 'AwaitingAttestation')
    },
    { timeoutMs: 60_000, everyMs: 250 },
  )
  say(`   Production says ${ready.reason}: ${ready.message}`)
}

/** Shows a real quote and returns its amount for plates in cents. */
async function showQuote(region: Region, say: Walk['say']): Promise<number> {
  const { categories, totals } = await region.quote(request)
  const plates = categories.onRoad.find(({ ruleId }) => ruleId === 'AU_ACT_PLATES_FY27')
  if (!plates) throw new Error(`the quote of ${region.name} has no line for plates`)
  const amounts = `plates ${dollars(plates.value)}, drive-away ${dollars(totals.driveAway)}`
  say(`   A quote of ${region.name.padEnd(10)} ${amounts}`)
  return plates.value
}

function expectPlates(name: string, actual: number, expected: number): void {
  if (actual !== expected)
    throw new Error(`${name} quotes ${dollars(actual)} for plates where ${dollars(expected)} is due`)
}

const short = (digest = '') => digest.slice(0, 'sha256:'.length + 12)
