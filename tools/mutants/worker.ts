import { judge, type Killer } from './judge.ts'
import { mutationsOf, type Mutation } from './mutations.ts'
import { provedEquivalent } from './proved.ts'
import { label, setsAndCases } from './sets.ts'

/** One line of the output of a worker. */
export interface Outcome extends Omit<Mutation, 'apply'> {
  set: string
  killer: Killer
  /** Why no quote can tell it from the set, where that is proved. */
  proved?: string
}

const proof = setsAndCases().proofs.find(({ spec }) => label(spec) === process.argv[2])
if (!proof) throw new Error(`there is no set ${process.argv[2]}`)
for (const { apply, ...mutation } of mutationsOf(proof.spec)) {
  const mutant = structuredClone(proof.spec)
  apply(mutant)
  const killer = judge(mutant, proof)
  const proved = killer === 'survived' ? provedEquivalent({ ...proof, mutant }, mutation) : undefined
  const outcome: Outcome = { set: label(proof.spec), killer, ...mutation, ...(proved && { proved }) }
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}
