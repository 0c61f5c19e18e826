import type { Fault } from './fault.ts'
import type { Check, Subject } from './subject.ts'

/** Faults of one set that are reported; a person corrects the first ones first. */
export const MOST_FAULTS = 200

/** What a check finds; a check that throws finds that it cannot judge this set, and the other checks go on. */
export function contained(check: Check, subject: Subject): Fault[] {
  try {
    return check(subject)
  } catch (error) {
    return [crashed(check.name, error)]
  }
}

/** The fault of a set that a check cannot cope with. */
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

/** The first faults, and as the last one how many more there are. */
export function bounded(all: readonly Fault[]): Fault[] {
  if (all.length <= MOST_FAULTS) return all.map(shortened)
  const faults = all.slice(0, MOST_FAULTS - 1).map(shortened)
  const left = all.length - MOST_FAULTS + 1
  const more: Fault = { check: 'more-faults', path: '', message: `${left} more faults are not listed` }
  return [...faults, more]
}
