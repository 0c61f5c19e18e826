import { judge, type Killer, type Proof } from './judge.ts'
import { mutationsOf, type Mutation } from './mutations.ts'
import { provedEquivalent } from './proved.ts'
import { label } from './sets.ts'

/** The outcome for one mutant. */
export interface Outcome extends Omit<Mutation, 'apply' | 'place'> {
  set: string
  killer: Killer
  /** Why no quote can distinguish it from the set, if that is proved. */
  proved?: string
}

/** Makes every mutant of a set and returns what detects each. Throws when the set itself has a fault. */
export function* outcomesOf(proof: Proof): Generator<Outcome> {
  // An example or a case that fails already would appear to detect every mutant.
  const itself = judge(proof.spec, proof)
  if (itself !== 'survived') throw new Error(`${label(proof.spec)} without a mistake is refused by its ${itself}`)
  for (const { apply, place, ...mutation } of mutationsOf(proof.spec)) {
    const mutant = structuredClone(proof.spec)
    apply(mutant)
    const killer = judge(mutant, proof)
    const proved = killer === 'survived' ? provedEquivalent({ ...proof, mutant }, { place, ...mutation }) : undefined
    yield { set: label(proof.spec), killer, ...mutation, ...(proved && { proved }) }
  }
}
