import { RATES_INDEX } from '#rates/published/format.ts'
import type { Logger } from '#runtime/log.ts'
import type { Announce } from '../status/events.ts'
import { howToRestore, type LostSets } from './lost.ts'

export interface LostSurroundings {
  namespace: string
  announce: Announce
  log: Logger
}

/** Reports each loss and its end once: in the log, and as an event of the index, because the object may be gone. */
export function lostTeller({ namespace, announce, log }: LostSurroundings): (lost: LostSets) => void {
  let told: LostSets = new Map()
  return (lost) => {
    const fresh = [...lost].filter(([name]) => !told.has(name)).map(([, entry]) => entry)
    for (const name of told.keys()) if (!lost.has(name)) log.info({ rateset: name }, 'no longer lost')
    told = lost
    if (fresh.length === 0) return
    for (const entry of fresh) log.error({ rateset: entry.name, digest: entry.digest }, howToRestore(entry))
    const transitions = fresh.map((entry) => ({
      ...({ type: 'Stalled', status: 'True', reason: 'ContentLost', message: howToRestore(entry) } as const),
      lastTransitionTime: '',
      observedGeneration: 0,
    }))
    void announce({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: RATES_INDEX, namespace } }, transitions)
  }
}
