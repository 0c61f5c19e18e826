import { buildSnapshot, type Snapshot } from '#rates/engine/snapshot.ts'
import type { ExplorerRates } from '../served.ts'
import { askServer } from './server.ts'

/** The rates, compiled in the browser. */
export interface Rates extends ExplorerRates {
  snapshot: Snapshot
  /** The old side of a comparison, compiled. */
  oldSnapshot: Snapshot | undefined
  /** When the server sent the rates, where it does not answer and they are the copy of an earlier visit. */
  copyOf: Date | undefined
}

/** Reads the rates that the server shows now. Throws TokenRequired, or Error with what the server says. */
export async function readRates(): Promise<Rates> {
  return compiled(await readServed())
}

/** What is done with the answers of the server. */
export interface Follower {
  changed: (rates: Rates) => void
  /** The server answered with the rates that are shown already. */
  unchanged: () => void
  /** The server does not answer with rates; a TokenRequired when it wants another token. */
  failed: (error: Error) => void
}

/** Looks whenever the server has other rates; the result looks at once. */
export function followRates(first: Rates, { changed, unchanged, failed }: Follower): () => Promise<void> {
  let { release } = first
  const lookOnce = async (isNew: (served: ExplorerRates) => boolean) => {
    try {
      const served = await readServed()
      if (served.copyOf) return failed(new Error('The server does not answer.'))
      if (!isNew(served)) return unchanged()
      ;({ release } = served)
      changed(compiled(served))
    } catch (error) {
      failed(error as Error)
    }
  }
  // One at a time: those that hang would use up the connections of the browser.
  let [last, looks]: [Promise<void>, number] = [Promise.resolve(), 0]
  const look = (isNew: (served: ExplorerRates) => boolean) => {
    looks += 1
    last = last.then(() => lookOnce(isNew)).finally(() => (looks -= 1))
    return last
  }
  const lookForRelease = () => look((served) => served.release !== release)
  // An event also tells of faults of the files, which have no release.
  if (first.followEveryMs === undefined) followEvents(first.copyOf !== undefined, () => void look(() => true), failed)
  else setInterval(() => looks === 0 && void lookForRelease(), first.followEveryMs)
  return lookForRelease
}

/** Milliseconds before the page asks for events again, where the browser does not do it by itself. */
const RECONNECT_MS = 3000

/**
 * Follows the events of `driveaway explore`; its server may end and come back. `isLost`: it did not answer yet, so the page looks
 * once it does, also where it is back before the first attempt.
 */
function followEvents(isLost: boolean, changed: () => void, failed: (error: Error) => void): void {
  const connect = () => {
    const events = new EventSource('events')
    events.addEventListener('rates', changed)
    events.addEventListener('open', () => {
      if (isLost) changed()
      isLost = false
    })
    events.addEventListener('error', () => {
      isLost = true
      failed(
        new Error(`The server does not answer. If driveaway explore has ended, start it with --port ${location.port}.`),
      )
      if (events.readyState === EventSource.CLOSED) setTimeout(connect, RECONNECT_MS)
    })
  }
  connect()
}

interface Read extends ExplorerRates {
  copyOf: Date | undefined
}

async function readServed(): Promise<Read> {
  const { content, headers } = await askServer<ExplorerRates>('rates.json')
  const copyOf = headers.has('x-copy') ? new Date(headers.get('date') ?? Date.now()) : undefined
  return { ...content, copyOf }
}

function compiled(served: Read): Rates {
  const { release, sets, old } = served
  const oldSnapshot = old && buildSnapshot({ release: old.release, sets: old.sets })
  return { ...served, snapshot: buildSnapshot({ release, sets }), oldSnapshot }
}

/**
 * Keeps the page and its rates for a reload without the server, where the browser can; `look` reads the rates once more
 * after the first visit, because they were read before anything could keep them.
 */
export async function keepForOffline(look: () => Promise<void>): Promise<void> {
  // Browsers have it on https and on this machine alone.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('controllerchange', () => void look())
  await navigator.serviceWorker.register('offline.js')
}
