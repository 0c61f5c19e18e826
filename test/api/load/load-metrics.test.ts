import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Holder } from '../../../api/load/held.ts'
import { showHeld } from '../../../api/load/load-metrics.ts'

const NOON_OF_30_JUNE_2027_IN_PERTH = Date.parse('2027-06-30T04:00:00Z')

const holder = (range: { start: string; end: string }) =>
  ({
    faults: () => ({ clients: 'a shard is gone' }),
    read: () => ({
      rates: {
        sequence: 7,
        loadedAt: '2027-06-30T03:59:30Z',
        snapshot: { jurisdictions: { AU_WA: { pricingCode: 'AU_WA', timeZone: 'Australia/Perth', range } } },
      },
    }),
  }) as unknown as Holder

async function shown(range: { start: string; end: string }): Promise<string> {
  const registry = new Registry()
  showHeld(registry, holder(range), () => NOON_OF_30_JUNE_2027_IN_PERTH)
  return registry.metrics()
}

test('the last day that rates cover is shown, and whether they cover today', async () => {
  const ending = await shown({ start: '2024-07-01', end: '2027-06-30' })
  expect(ending).toContain(`cover_until_timestamp_seconds{pricing_code="AU_WA"} ${Date.parse('2027-06-30') / 1000}`)
  expect(ending).toContain('driveaway_rates_cover_today{pricing_code="AU_WA"} 1')
  expect(ending).toContain('driveaway_snapshot_sequence 7')
  expect(ending).toContain('driveaway_snapshot_age_seconds 30')
  expect(ending).toContain('driveaway_load_fault{part="rates"} 0')
  expect(ending).toContain('driveaway_load_fault{part="clients"} 1')
  expect(await shown({ start: '2024-07-01', end: '2027-06-29' })).toContain('cover_today{pricing_code="AU_WA"} 0')
})
