import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { Served } from '../served.ts'

/** The rates, compiled in this browser. */
export interface Rates extends Served {
  snapshot: Snapshot
}

/** Reads the rates that the server shows now. */
export async function readRates(): Promise<Rates> {
  const served = (await (await fetch('rates.json')).json()) as Served
  return { ...served, snapshot: buildSnapshot({ release: served.release, sets: served.sets }) }
}

/** Calls `changed` whenever the server has other rates. */
export function followRates(changed: () => void): void {
  new EventSource('events').addEventListener('rates', changed)
}
