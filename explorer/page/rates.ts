import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Served } from '../served.ts'

/** The rates, compiled in the browser. */
export interface Rates extends Served {
  snapshot: Snapshot
  /** The old side of a comparison, compiled. */
  oldSnapshot: Snapshot | undefined
}

/** Loads the rates that the server currently shows. */
export async function readRates(): Promise<Rates> {
  const served = (await (await fetch('rates.json')).json()) as Served
  const { release, sets, old } = served
  const oldSnapshot = old && buildSnapshot({ release: old.release, sets: old.sets })
  return { ...served, snapshot: buildSnapshot({ release, sets }), oldSnapshot }
}

/** Calls `changed` whenever the server has other rates. */
export function followRates(changed: () => void): void {
  new EventSource('events').addEventListener('rates', changed)
}
