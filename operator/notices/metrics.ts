import { Counter, Gauge, type Registry } from 'prom-client'

export interface NoticesMetrics {
  put(): void
  /** The number of clients of the held announcement; 0 when none is held. */
  heldClients(clients: number): void
  /** Records that clients cannot be notified now; returns whether that is new. */
  behind(): boolean
  /** Records that clients are up to date; returns whether they could not be notified before. */
  caughtUp(): boolean
}

/** Metrics of the announcements to clients; `clock` returns milliseconds. */
export function noticesMetrics(registry: Registry, clock: () => number): NoticesMetrics {
  const registers = [registry]
  let since: number | undefined
  const help = 'Notices queued for mailing, including those that were queued already.'
  const puts = new Counter({ name: 'driveaway_notices_put_total', help, registers })
  new Gauge({
    name: 'driveaway_notices_behind_seconds',
    help: 'Seconds for which clients could not be told of the published rates; 0 once they have been told.',
    registers,
    collect() {
      this.set(since === undefined ? 0 : (clock() - since) / 1000)
    },
  })
  const heldGauge = new Gauge({
    name: 'driveaway_notices_held_clients',
    help: 'Clients whose notices wait for a person to release them; 0 when none does.',
    registers,
  })
  return {
    put: () => puts.inc(),
    heldClients: (clients) => heldGauge.set(clients),
    behind: () => {
      const isNew = since === undefined
      since ??= clock()
      return isNew
    },
    caughtUp: () => {
      const waited = since !== undefined
      since = undefined
      return waited
    },
  }
}
