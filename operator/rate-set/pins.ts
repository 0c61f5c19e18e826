/**
 * `spec.pin` holds a set at a digest, whatever else its object says from then on. What is published at that digest stays,
 * and what it imports stays with it, because the digest covers its imports.
 */
import type { OperatorCheck } from '#crds/operator-checks.ts'
import type { Candidate, MakeEvaluate } from './assignment.ts'

export const PINNED = 'pinned' satisfies OperatorCheck

/** Whether what is published is what the pin names: then nothing else is taken for it. */
export const holdsPublished = ({ pin, publishedDigest, lastGood }: Candidate): boolean =>
  pin !== undefined && lastGood !== undefined && pin === publishedDigest

/** The same checks, and before them a fault of each content that is not the pinned one. */
export function guardPins(evaluate: MakeEvaluate): MakeEvaluate {
  return (contents) => {
    const check = evaluate(contents)
    return async (name, assignment) => {
      const candidate = contents.candidates.get(name)
      const pin = candidate?.pin
      const version = assignment.get(name) ?? 'none'
      if (pin === undefined || version === 'none') return check(name, assignment)
      // A pin that names nothing that there is takes nothing from what is published.
      if (version === 'lastGood' && !holdsPublished(candidate!)) return check(name, assignment)
      const digest = contents.digest(name, assignment)
      if (digest === pin) return check(name, assignment)
      return [{ check: PINNED, path: 'pin', message: otherThan(candidate!, digest) }]
    }
  }
}

function otherThan({ pin, publishedDigest }: Candidate, digest: string): string {
  const published = publishedDigest === undefined ? 'nothing of the set is published' : `${publishedDigest} is published`
  return `expected ${pin}; the content of the object is ${digest}, and ${published}`
}
