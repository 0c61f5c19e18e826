import { Counter, Gauge, type Registry } from 'prom-client'

export interface NoticesMetrics {
  put(): void
  /** So many clients are told of a release only when a person releases it; 0: none waits for that. */
  heldClients(clients: number): void
  /** The clients could not be told of what is published; whether that is new. */
  behind(): boolean
  /** They have been told; whether they had to wait. */
  caughtUp(): boolean
}

/** Metrics of what the clients are told; `clock` gives milliseconds. */
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
