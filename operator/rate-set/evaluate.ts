import { setImmediate as turn } from 'node:timers/promises'
import type { Fault } from '#rates/engine/fault.ts'
import type { Contents, Evaluate } from './assignment.ts'
import { firstFaults, type Check } from './checks.ts'

/** Faults by set name and attested digest: what was checked once is not checked again. */
export type Remembered = Map<string, Fault[]>

const REMEMBERED = 5000

/** Runs the checks on a set of an assignment, remembers the outcome, and lets other work through between two sets. */
export function evaluator(checks: readonly Check[], remembered: Remembered): (contents: Contents) => Evaluate {
  return (contents) => async (name, assignment) => {
    const spec = contents.spec(name, assignment)
    if (!spec) return []
    const key = `${name} ${contents.digest(name, assignment)}`
    const known = remembered.get(key)
    if (known) return known
    // A check takes tens of milliseconds; the lease must be renewed between them.
    await turn()
    const imports = contents.imports(name, assignment).flatMap((each) => contents.spec(each, assignment) ?? [])
    const faults = firstFaults(checks, { name, spec, imports })
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(key, faults)
    return faults
  }
}
