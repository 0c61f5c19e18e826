import { Counter, Gauge, type Registry } from 'prom-client'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { todayIn } from '#runtime/today.ts'
import { ALL_PARTS, type Holder, type Part } from './held.ts'

/** Counts failed loads in `registry`; returns the function to call at each failure. */
export function countLoadFailures(registry: Registry): (part: Part) => void {
  const labelNames = ['part'] as const
  const help = 'Failed loads; each left the previous version in use.'
  const failures = new Counter({ name: 'driveaway_load_failures_total', help, labelNames, registers: [registry] })
  for (const part of ['rates', 'clients', 'keys'] as const) failures.inc({ part }, 0)
  return (part) => failures.inc({ part })
}

/** Shows, at each scrape, the age of the loaded rates, their sequence, and which pricing codes have rates for today. */
export function showHeld(registry: Registry, holder: Holder, clock: () => number): void {
  const values = {
    driveaway_snapshot_age_seconds: { help: 'Seconds since the rates in use were loaded.', read: () => age(holder, clock()) },
    driveaway_snapshot_sequence: { help: 'Sequence number of the rates index in use.', read: () => holder.read().rates?.sequence },
    driveaway_clients_sequence: { help: 'Sequence number of the clients index in use.', read: () => holder.read().clients?.sequence },
  }
  for (const [name, { help, read }] of Object.entries(values)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        // NaN is Prometheus's value for "nothing to measure yet".
        this.set(read() ?? NaN)
      },
    })
  }
  showFaults(registry, holder)
  showCoverage(registry, holder, clock)
  showCoverageEnd(registry, holder)
}

/** Shows, at each scrape, when the Kubernetes API server last answered; 0 before it did. */
export function showContact(registry: Registry, lastContact: () => Date | undefined): void {
  new Gauge({
    name: 'driveaway_last_contact_timestamp_seconds',
    help: 'When the Kubernetes API server last answered: a list, an event, a bookmark or a probe. The content in use is as of then.',
    registers: [registry],
    collect() {
      this.set((lastContact()?.getTime() ?? 0) / 1000)
    },
  })
}

/** Shows which parts failed at their last load. */
function showFaults(registry: Registry, holder: Holder): void {
  new Gauge({
    name: 'driveaway_load_fault',
    help: '1 if the last load of the part failed and the previous version is in use, else 0.',
    labelNames: ['part'] as const,
    registers: [registry],
    collect() {
      const faults = holder.faults()
      for (const part of ALL_PARTS) this.set({ part }, faults[part] === undefined ? 0 : 1)
    },
  })
}

function age(holder: Holder, now: number): number | undefined {
  const { rates } = holder.read()
  return rates && (now - Date.parse(rates.loadedAt)) / 1000
}

/** Shows when each pricing code's rates end, so that an alert can ask for the next year's in time. */
function showCoverageEnd(registry: Registry, holder: Holder): void {
  new Gauge({
    name: 'driveaway_rates_cover_until_timestamp_seconds',
    help: 'The last day that the rates in use cover, at its start in UTC.',
    labelNames: ['pricing_code'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const { pricingCode, range } of Object.values(holder.read().rates?.snapshot.jurisdictions ?? {})) {
        this.set({ pricing_code: pricingCode }, Date.parse(range.end) / 1000)
      }
    },
  })
}

function showCoverage(registry: Registry, holder: Holder, clock: () => number): void {
  new Gauge({
    name: 'driveaway_rates_cover_today',
    help: '1 if the rates in use cover today in the time zone of the pricing code, else 0.',
    labelNames: ['pricing_code'] as const,
    registers: [registry],
    collect() {
      this.reset()
      for (const [code, covered] of coverage(holder.read().rates?.snapshot, clock())) {
        this.set({ pricing_code: code }, covered ? 1 : 0)
      }
    },
  })
}

/** Whether each pricing code's supported range includes today in its own time zone; `now` in milliseconds. */
export function coverage(snapshot: Snapshot | undefined, now: number): [string, boolean][] {
  return Object.values(snapshot?.jurisdictions ?? {}).map(({ pricingCode, timeZone, range }) => {
    const today = todayIn(timeZone, now)
    return [pricingCode, range.start <= today && today <= range.end]
  })
}
