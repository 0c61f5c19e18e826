import { Counter, Gauge, type Registry } from 'prom-client'

export interface NoticesMetrics {
  put(): void
  /** Number of clients in the release that waits for a person; 0: none waits. */
  heldClients(clients: number): void
  /** The clients could not be told what is published; returns whether that is new. */
  behind(): boolean
  /** The clients have been told; returns whether they had to wait. */
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
