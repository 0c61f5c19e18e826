import type { Fault } from './fault.ts'
import type { Check, Subject } from './subject.ts'

/** Most faults reported for one set; the first faults are corrected first. */
export const MOST_FAULTS = 200

/** Runs a check. If the check throws, its fault says that it cannot judge this set, and the other checks continue. */
export function contained(check: Check, subject: Subject): Fault[] {
  try {
    return check(subject)
  } catch (error) {
    return [crashed(check.name, error)]
  }
}

/** The fault of a set on which a check crashed. */
export function crashed(check: string, error: unknown): Fault {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const name = check.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return { check: 'check-crashed', path: '', message: `the check ${name} crashed with ${reason.slice(0, 500)}` }
}

// A name may have a million letters, and the operator keeps the faults of thousands of sets.
const MOST_LETTERS = 1000

const shortened = ({ check, path, message }: Fault): Fault => ({
  check,
  path: path.slice(0, MOST_LETTERS),
  message: message.slice(0, MOST_LETTERS),
})

/** The first faults, then one that counts the rest. */
export function bounded(all: readonly Fault[]): Fault[] {
  if (all.length <= MOST_FAULTS) return all.map(shortened)
  const faults = all.slice(0, MOST_FAULTS - 1).map(shortened)
  const left = all.length - MOST_FAULTS + 1
  const more: Fault = { check: 'more-faults', path: '', message: `${left} more faults are not listed` }
  return [...faults, more]
}
