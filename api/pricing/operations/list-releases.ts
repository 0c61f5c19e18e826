import { DAY_MS, isUsable, type KnownRelease } from '../../releases/timeline.ts'
import type { Operation } from '../operation.ts'

/** `GET /v1/releases`. */
export const listReleases: Operation = {
  operationId: 'listReleases',
  bodyLimit: 0,
  handle: ({ releases, rates, keepDays }) => {
    const listed = releases.list(rates).map((known) => said(known, keepDays))
    return { body: { releases: listed }, version: JSON.stringify(listed) }
  },
}

function said(known: KnownRelease, keepDays: number) {
  const { release, inForce, isCurrent, archived } = known
  // The archive has no end, and a release without content has no time to be asked for.
  const isForgotten = !isCurrent && archived === undefined && isUsable(known)
  const until = isForgotten ? inForce.at(-1)?.until : undefined
  const keptUntil = until === undefined ? undefined : new Date(Date.parse(until) + keepDays * DAY_MS).toISOString()
  return { release, isCurrent, inForce, kept: isUsable(known), ...(keptUntil !== undefined && { keptUntil }) }
}
