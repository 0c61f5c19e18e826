import { addYears } from '../dates.ts'
import { codeOf, FACT_INDEX, type State } from '../state.ts'

/** Tare, kerb and gross mass; each is at least the one before. */
export const MASS_FACTS = ['tareKg', 'kerbMassKg', 'gvmKg'] as const
export const MASSES: readonly number[] = MASS_FACTS.map((fact) => FACT_INDEX[fact])

/** Vehicles of these types burn fuel: they have cylinders or rotors, consume fuel and emit carbon dioxide. */
export const BURNING_FUELS: readonly string[] = ['ICE', 'HEV', 'PHEV']
/**
 * For these bodies, only the number of seats decides whether a vehicle is a bus in law; every other body has at most
 * nine seats.
 */
export const BODIES_OF_MANY_SEATS: readonly string[] = ['people_mover', 'bus']
export const MOST_SEATS = 9
/** A vehicle sold as new was made at most this many years before it is registered. */
export const NEW_FOR_YEARS = 10
/** A dealer may have registered a vehicle that is sold as new at most this many years ago. */
export const REGISTERED_NEW_FOR_YEARS = 2
const MANY_SEATS = BODIES_OF_MANY_SEATS.map((word) => codeOf('bodyType', word))
const BURNING = BURNING_FUELS.map((word) => codeOf('fuelType', word))
const NEW = codeOf('condition', 'new')
const TRANSFER = codeOf('registrationType', 'transfer')

/** A fact of the request; NaN when it was not sent, even if a value is assumed for it. */
const sent = ({ facts, overlay }: State, slot: number): number =>
  overlay !== null && overlay.facts.has(slot) ? NaN : facts[slot]!

const burns = (state: State): boolean => BURNING.includes(sent(state, FACT_INDEX.fuelType))

/** The lower bound of a mass: the heaviest of the lighter masses that were sent. */
export function leastMass(slot: number, state: State): number {
  let least = 0
  for (const lighter of MASSES) {
    if (lighter === slot) break
    const mass = sent(state, lighter)
    if (mass > least) least = mass
  }
  return least
}

/** The upper bound of a mass: the lightest of the heavier masses that were sent. */
export function mostMass(slot: number, state: State): number {
  let most = Number.MAX_VALUE
  for (let at = MASSES.length - 1; MASSES[at] !== slot; at--) {
    const mass = sent(state, MASSES[at]!)
    if (mass < most) most = mass
  }
  return most
}

/**
 * Whether the vehicle is on a register: it was first registered before the requested day, or its registration is
 * transferred.
 */
export const isRegisteredBefore = (state: State): boolean =>
  sent(state, FACT_INDEX.firstRegisteredDate) < state.ageDay || sent(state, FACT_INDEX.registrationType) === TRANSFER

type Law = (value: number, state: State) => boolean

const isWithinMasses =
  (slot: number): Law =>
  (value, state) =>
    value > 0 && value >= leastMass(slot, state) && value <= mostMass(slot, state)

/** When no body is sent, a body of at most nine seats is assumed. */
const isOfBody = (seats: number, body: number): boolean => !(seats > MOST_SEATS) || MANY_SEATS.includes(body)

const hasEngine = (cylinders: number, rotors: number): boolean => cylinders !== 0 || rotors > 0
const isBurnt: Law = (value, state) => value > 0 || !burns(state)

/**
 * By slot: whether a value agrees with the other facts that were sent. A request with a value that does not agree is
 * refused.
 */
const LAWS = bySlot<Law>({
  tareKg: isWithinMasses(FACT_INDEX.tareKg),
  kerbMassKg: isWithinMasses(FACT_INDEX.kerbMassKg),
  gvmKg: isWithinMasses(FACT_INDEX.gvmKg),
  cylinders: (value, state) => hasEngine(value, sent(state, FACT_INDEX.rotors)) || !burns(state),
  rotors: (value, state) => hasEngine(sent(state, FACT_INDEX.cylinders), value) || !burns(state),
  co2GPerKm: isBurnt,
  fuelConsumptionLPer100km: isBurnt,
  engineCapacityCc: isBurnt,
  seats: (value, state) => value > 0 && isOfBody(value, sent(state, FACT_INDEX.bodyType)),
  fuelType: (value, state) =>
    !BURNING.includes(value) ||
    (hasEngine(sent(state, FACT_INDEX.cylinders), sent(state, FACT_INDEX.rotors)) &&
      sent(state, FACT_INDEX.co2GPerKm) !== 0 &&
      sent(state, FACT_INDEX.engineCapacityCc) !== 0 &&
      sent(state, FACT_INDEX.fuelConsumptionLPer100km) !== 0),
  previouslyRegistered: (value, state) => value === 1 || !isRegisteredBefore(state),
  manufactureDate: (value, state) =>
    value <= state.latestDay &&
    leavesNew(NEW_FOR_YEARS, value, state) &&
    !(value > sent(state, FACT_INDEX.firstRegisteredDate)) && isMadeIn(sent(state, FACT_INDEX.year), value),
  firstRegisteredDate: (value, state) =>
    value <= state.latestDay &&
    leavesNew(REGISTERED_NEW_FOR_YEARS, value, state) &&
    (value >= state.ageDay || sent(state, FACT_INDEX.previouslyRegistered) !== 0) && value >= firstOnTheRoad(state),
  year: (value, state) =>
    leavesNew(NEW_FOR_YEARS, lastDayOf(value), state) &&
    isMadeIn(value, sent(state, FACT_INDEX.manufactureDate)) &&
    !(firstDayOf(value - 1) > sent(state, FACT_INDEX.firstRegisteredDate)),
})

/**
 * Whether a model year agrees with a day of manufacture: they differ by at most one year. NaN agrees with everything.
 */
const isMadeIn = (year: number, day: number): boolean => !(Math.abs(year - Math.floor(day / 10_000)) > 1)

/** Whether an event on a day, at most `years` ago, agrees with the sale of the vehicle as new. */
const leavesNew = (years: number, day: number, { facts, ageDay }: State): boolean =>
  facts[FACT_INDEX.condition] !== NEW || addYears(day, years) >= ageDay

const firstDayOf = (year: number): number => year * 10_000 + 101
const lastDayOf = (year: number): number => year * 10_000 + 1231

/**
 * The first day on which the vehicle can have been on the road: not before it was made, and not before the year
 * preceding its model year.
 */
export function firstOnTheRoad(state: State): number {
  const made = sent(state, FACT_INDEX.manufactureDate)
  const year = firstDayOf(sent(state, FACT_INDEX.year) - 1)
  return Math.max(made === made ? made : 0, year === year ? year : 0)
}

function bySlot<Of>(ofFacts: Partial<Record<keyof typeof FACT_INDEX, Of>>): readonly (Of | undefined)[] {
  return Object.keys(FACT_INDEX).map((fact) => ofFacts[fact as keyof typeof FACT_INDEX])
}

const isAboveZero = (value: number) => value > 0

/** By slot: whether a value is possible, whatever the other facts are. */
const ALWAYS = bySlot<(value: number) => boolean>({
  cylinders: isAboveZero,
  rotors: isAboveZero,
  co2GPerKm: isAboveZero,
  fuelConsumptionLPer100km: isAboveZero,
  engineCapacityCc: isAboveZero,
  seats: (value) => value > 0 && value <= MOST_SEATS,
  fuelType: (value) => !BURNING.includes(value),
  previouslyRegistered: (value) => value === 1,
})

/** Whether other facts may rule out this value of a fact. */
export const mayLackRoom = (slot: number, value: number): boolean =>
  LAWS[slot] !== undefined && !ALWAYS[slot]?.(value)

/**
 * Whether a value agrees with the facts that were sent. An impossible vehicle is refused before it is priced, and is
 * never assumed.
 */
export function isPossible(slot: number, value: number, state: State): boolean {
  const law = LAWS[slot]
  return law === undefined || law(value, state)
}
