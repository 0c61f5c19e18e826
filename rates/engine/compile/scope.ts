import type { Candidates } from './candidates.ts'
import type { Fact } from '../grammar/facts.ts'
import type { RateSetSpec } from '../grammar/rate-set.ts'
import type { Exact } from '../exact.ts'
import type { Figure, State, Test } from '../state.ts'

/**
 * A list of zones. The test returns the position in the list of the zone of a request, or -1 when the zone is unknown.
 */
export interface Zones {
  readonly slot: number
  readonly name: string
  readonly zoneOf: (state: State) => number
  readonly indexOf: (zone: string, place: Place) => number
  /** A postcode in the zone at a position; null when all postcodes of the zone belong to other zones. */
  readonly postcodeOf: (zone: number) => string | null
  readonly count: number
}

/** A named amount, and the components whose lines it is computed from. */
export interface Basis extends Figure {
  readonly name: string
  readonly slot: number
  readonly needs: ReadonlySet<string>
}

export interface NamedTest extends Test {
  readonly slot: number
  /** Returns the values of facts that the class can tell apart; collected on the first call. */
  readonly candidates: () => Candidates
  /** Returns the names of the facts that the class reads, among other names; collected on the first call. */
  readonly names: () => ReadonlySet<string>
}

/** A dated constant: its value in cents on the effective date. */
export interface DatedValue {
  readonly value: (state: State) => Exact
  /** The value, when it is the same on all days. */
  readonly constant: Exact | null
  readonly evidence: (state: State) => number
}

/** Positions in the state, assigned for one rate set and its imports together. */
export interface Slots {
  readonly components: Map<string, number>
  bases: number
  classes: number
  zones: number
}

/** The names of one rate set; each is compiled when first used. A name that refers to nothing throws. */
export interface Scope {
  readonly set: string
  readonly code: string
  readonly spec: RateSetSpec
  readonly slots: Slots
  readonly imports: readonly Scope[]
  /** Whether this set was loaded only because another set imports it. */
  readonly imported: boolean
  readonly classOf: (name: string, place: Place) => NamedTest
  readonly zonesOf: (name: string, place: Place) => Zones
  readonly basisOf: (name: string, place: Place) => Basis
  readonly parameterOf: (reference: string, place: Place) => DatedValue
  /** Returns the values of facts that the rules of a component can tell apart; collected on the first call. */
  readonly candidatesOf: (component: string, place: Place) => () => Candidates
  /** The facts that would have selected another case of a basis, by the warning of the case. */
  readonly fallbacks: ReadonlyMap<string, readonly Fact[]>
}

/**
 * A part of a rate set: its path in the spec, such as `rules[3].cases[0]`, and the names to which this part may refer.
 */
export interface Place {
  readonly scope: Scope
  readonly path: string
  /** A part within this part: `at('charge.bands[1]')`. */
  readonly at: (step: string) => Place
}

/** The part of a set at a path in its spec; without a path, the whole set. */
export const placeIn = (scope: Scope, path = ''): Place => ({
  scope,
  path,
  at: (step) => placeIn(scope, path === '' ? step : `${path}.${step}`),
})

/** Stops the compilation of a set with an error that names the set and the path in its spec. */
export function refuse({ scope, path }: { scope: { set: string }; path: string }, message: string): never {
  throw new Error(`${scope.set}: ${path}: ${message}`)
}

/** Keeps the compiled result of each name, and refuses a name that refers to itself. */
export function memoized<T>(compile: (name: string, place: Place) => T) {
  const known = new Map<string, T | 'open'>()
  return (name: string, place: Place): T => {
    const found = known.get(name)
    if (found === 'open') return refuse(place, `${name} refers to itself`)
    if (found !== undefined) return found
    known.set(name, 'open')
    const compiled = compile(name, place)
    known.set(name, compiled)
    return compiled
  }
}
