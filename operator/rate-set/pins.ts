/**
 * `spec.pin` keeps a set at one digest, whatever the rest of its object says. The content published at that digest
 * stays, and so do its imports, because the digest covers them.
 */
import type { OperatorCheck } from '#crds/operator-checks.ts'
import type { Candidate, MakeEvaluate } from './assignment.ts'

export const PINNED = 'pinned' satisfies OperatorCheck

/** Whether the published content is the pinned one; it then cannot be replaced. */
export const holdsPublished = ({ pin, publishedDigest, lastGood }: Candidate): boolean =>
  pin !== undefined && lastGood !== undefined && pin === publishedDigest

/** Adds a check that runs first: a fault for content other than the pinned one. */
export function guardPins(evaluate: MakeEvaluate): MakeEvaluate {
  return (contents) => {
    const check = evaluate(contents)
    return async (name, assignment) => {
      const candidate = contents.candidates.get(name)
      const pin = candidate?.pin
      const version = assignment.get(name) ?? 'none'
      if (pin === undefined || version === 'none') return check(name, assignment)
      // A pin that matches no known content does not remove what is published.
      if (version === 'lastGood' && !holdsPublished(candidate!)) return check(name, assignment)
      const digest = contents.digest(name, assignment)
      if (digest === pin) return check(name, assignment)
      return [{ check: PINNED, path: 'pin', message: otherThan(candidate!, digest) }]
    }
  }
}

function otherThan({ pin, publishedDigest }: Candidate, digest: string): string {
  const published =
    publishedDigest === undefined ? 'nothing of the set is published' : `${publishedDigest} is published`
  return `expected ${pin}; the content of the object is ${digest}, and ${published}`
}
