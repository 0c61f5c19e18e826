import { quote } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { carOf, type Lines, type Peer } from './car.ts'

/** Throws if a peer's lines differ from ours in any request. */
export async function mustAgree(
  peer: Peer,
  requests: readonly QuoteRequest[],
  snapshot: Snapshot,
  zoneOf: (postcode: string) => string,
): Promise<void> {
  for (const request of requests) {
    const ours = charged(
      Object.fromEntries(quote(request, snapshot).categories.onRoad.map(({ component, value }) => [component, value])),
    )
    const theirs = charged(await peer.price(carOf(request, zoneOf)))
    if (ours !== theirs) throw new Error(`${peer.name} disagrees on ${JSON.stringify(request)}:\n${theirs}\n${ours}`)
  }
}

/** Lines with an amount other than zero, sorted by name: engines differ in whether zero makes a line. */
function charged(lines: Lines): string {
  return JSON.stringify(
    Object.entries(lines)
      .filter(([, cents]) => cents !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
