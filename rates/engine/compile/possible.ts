import { codeOf, FACT_INDEX, type State } from '../state.ts'

/** Empty, ready for the road, laden: each is at least as heavy as the one before. */
export const MASS_FACTS = ['tareKg', 'kerbMassKg', 'gvmKg'] as const
export const MASSES: readonly number[] = MASS_FACTS.map((fact) => FACT_INDEX[fact])

/** A vehicle of these burns fuel: it has cylinders or rotors, consumes some fuel and emits some carbon dioxide. */
export const BURNING_FUELS: readonly string[] = ['ICE', 'HEV', 'PHEV']
const BURNING = BURNING_FUELS.map((word) => codeOf('fuelType', word))
const TRANSFER = codeOf('registrationType', 'transfer')

/** A fact of the request; NaN where it was not sent, whatever is assumed for it. */
const sent = ({ facts, overlay }: State, slot: number): number =>
  overlay !== null && overlay.facts.has(slot) ? NaN : facts[slot]!

const burns = (state: State): boolean => BURNING.includes(sent(state, FACT_INDEX.fuelType))

/** The least that a mass can be: no less than the lighter masses that were sent. */
export function leastMass(slot: number, state: State): number {
  let least = 0
  for (const lighter of MASSES) {
    if (lighter === slot) break
    const mass = sent(state, lighter)
    if (mass > least) least = mass
  }
  return least
}

/** The most that a mass can be: no more than the heavier masses that were sent. */
export function mostMass(slot: number, state: State): number {
  let most = Number.MAX_VALUE
  for (let at = MASSES.length - 1; MASSES[at] !== slot; at--) {
    const mass = sent(state, MASSES[at]!)
    if (mass < most) most = mass
  }
  return most
}

/** Whether the vehicle is on a register: it was first registered before the day asked for, or its registration is transferred. */
export const isRegisteredBefore = (state: State): boolean =>
  sent(state, FACT_INDEX.firstRegisteredDate) < state.ageDay || sent(state, FACT_INDEX.registrationType) === TRANSFER

type Law = (value: number, state: State) => boolean

const isWithinMasses =
  (slot: number): Law =>
  (value, state) =>
    value >= leastMass(slot, state) && value <= mostMass(slot, state)

const hasEngine = (cylinders: number, rotors: number): boolean => cylinders !== 0 || rotors > 0
const isBurnt: Law = (value, state) => value > 0 || !burns(state)

/** By slot: whether the other facts that were sent leave room for a value. A request that breaks one of these is refused. */
const LAWS: readonly (Law | undefined)[] = lawsBySlot({
  tareKg: isWithinMasses(FACT_INDEX.tareKg),
  kerbMassKg: isWithinMasses(FACT_INDEX.kerbMassKg),
  gvmKg: isWithinMasses(FACT_INDEX.gvmKg),
  cylinders: (value, state) => hasEngine(value, sent(state, FACT_INDEX.rotors)) || !burns(state),
  rotors: (value, state) => hasEngine(sent(state, FACT_INDEX.cylinders), value) || !burns(state),
  co2GPerKm: isBurnt,
  fuelConsumptionLPer100km: isBurnt,
  fuelType: (value, state) =>
    !BURNING.includes(value) ||
    (hasEngine(sent(state, FACT_INDEX.cylinders), sent(state, FACT_INDEX.rotors)) &&
      sent(state, FACT_INDEX.co2GPerKm) !== 0 &&
      sent(state, FACT_INDEX.fuelConsumptionLPer100km) !== 0),
  previouslyRegistered: (value, state) => value === 1 || !isRegisteredBefore(state),
  firstRegisteredDate: (value, state) => value >= state.ageDay || sent(state, FACT_INDEX.previouslyRegistered) !== 0,
})

function lawsBySlot(laws: Partial<Record<keyof typeof FACT_INDEX, Law>>): (Law | undefined)[] {
  return Object.keys(FACT_INDEX).map((fact) => laws[fact as keyof typeof FACT_INDEX])
}

/** Whether other facts may leave no room for a value of a fact. */
export const hasLaw = (slot: number): boolean => LAWS[slot] !== undefined

/** Whether what was sent leaves room for a value: a vehicle that cannot be is refused before it is priced, and never assumed. */
export function isPossible(slot: number, value: number, state: State): boolean {
  const law = LAWS[slot]
  return law === undefined || law(value, state)
}
