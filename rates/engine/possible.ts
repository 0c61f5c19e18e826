import { codeOf, FACT_INDEX, type State } from './state.ts'

/** Empty, ready for the road, laden: each is at least as heavy as the one before. */
export const MASSES: readonly number[] = [FACT_INDEX.tareKg, FACT_INDEX.kerbMassKg, FACT_INDEX.gvmKg]
const ICE = codeOf('fuelType', 'ICE')

/** Whether what is known leaves room for a value: a vehicle that cannot be is refused before it is priced. */
export function isPossible(slot: number, value: number, { facts }: State): boolean {
  if (slot === FACT_INDEX.cylinders && value === 0) {
    return facts[FACT_INDEX.fuelType] !== ICE || (facts[FACT_INDEX.rotors] ?? 0) > 0
  }
  const at = MASSES.indexOf(slot)
  if (at < 0) return true
  return MASSES.every((other, position) => {
    const mass = facts[other]!
    return mass !== mass || (position < at ? mass <= value : position === at || value <= mass)
  })
}
