import { DAY_MS, type KnownRelease } from '../../releases/timeline.ts'
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

function said({ release, inForce, isCurrent }: KnownRelease, keepDays: number) {
  const until = isCurrent ? undefined : inForce.at(-1)?.until
  const keptUntil = until === undefined ? undefined : new Date(Date.parse(until) + keepDays * DAY_MS).toISOString()
  return { release, isCurrent, inForce, ...(keptUntil !== undefined && { keptUntil }) }
}
