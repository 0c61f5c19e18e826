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
