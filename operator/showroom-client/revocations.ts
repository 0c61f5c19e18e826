import { isDeepStrictEqual } from 'node:util'
import type { ShowroomClientSpec } from './object.ts'

/** Whether the new spec removes a right that the old one granted; such a change is published before any other. */
export function takesRightsAway(before: ShowroomClientSpec, now: ShowroomClientSpec): boolean {
  if (now.suspended === true && before.suspended !== true) return true
  return (
    lacksOne(before.showroomCodes, now.showroomCodes) ||
    lacksOne(before.grants, now.grants) ||
    lacksOne(before.credentials, now.credentials) ||
    lacksOne(keysOf(before), keysOf(now))
  )
}

const lacksOne = (before: readonly unknown[], now: readonly unknown[]): boolean =>
  before.some((each) => !now.some((other) => isDeepStrictEqual(each, other)))

/** All public keys: a key removed from a key set is a removed right, although the credential still exists. */
const keysOf = ({ credentials }: ShowroomClientSpec) => credentials.flatMap(({ jwks }) => jwks?.keys ?? [])

/** Counts the changes that remove a right and are not published yet. */
export interface Revocations {
  /** Adds a change to publish. */
  add(): void
  /** Whether a change waits; a run then postpones whatever work it can. */
  isWaiting(): boolean
  /** Resolves once a change waits. */
  waits(): Promise<void>
  /** Called when a run reads the clients; the returned function is called when they are published. */
  read(): () => void
}

export function createRevocations(): Revocations {
  let told = 0
  let published = 0
  let next = Promise.withResolvers<void>()
  const isWaiting = () => told > published
  return {
    add: () => {
      told++
      next.resolve()
      next = Promise.withResolvers()
    },
    isWaiting,
    waits: () => (isWaiting() ? Promise.resolve() : next.promise),
    read: () => {
      const upTo = told
      return () => void (published = Math.max(published, upTo))
    },
  }
}
