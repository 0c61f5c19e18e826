import { isDeepStrictEqual } from 'node:util'
import type { ShowroomClientSpec } from './object.ts'

/** Whether the new spec takes a right away that the one before gave: such a change is published before any other. */
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

/** Every public key: one that is taken out of a key set is a right less, although the credential is still there. */
const keysOf = ({ credentials }: ShowroomClientSpec) => credentials.flatMap(({ jwks }) => jwks?.keys ?? [])

/** Changes that take a right away: which of them are still to be published. */
export interface Revocations {
  /** One more is to be published. */
  add(): void
  /** Whether one waits: whatever a run of the clients can put off, it puts off then. */
  isWaiting(): boolean
  /** Called when a run reads the clients; what it returns is called when they are published. */
  read(): () => void
}

export function createRevocations(): Revocations {
  let told = 0
  let published = 0
  return {
    add: () => void told++,
    isWaiting: () => told > published,
    read: () => {
      const upTo = told
      return () => void (published = Math.max(published, upTo))
    },
  }
}
