import type { Bounds, World } from './naive-conditions.ts'
import { greater, largest, NIL, rational, smallest, type Rational } from './rational.ts'

/** A vehicle weighs no less ready for the road than empty, and no less laden than ready for the road. */
const SCALE = ['tareKg', 'kerbMassKg', 'gvmKg']

/** Heavier than any vehicle. */
const ENDLESS = rational('1000000000')

/** What the masses that were sent say of one that was not; undefined where they leave it open. */
export function provenWeight(fact: string, bounds: Bounds, { facts, sent }: World): boolean | undefined {
  const place = SCALE.indexOf(fact)
  if (place < 0) return undefined
  const sentOf = (some: string[]) => some.filter((one) => sent.has(one)).map((one) => facts.get(one) as Rational)
  const lightest = largest([NIL, ...sentOf(SCALE.slice(0, place))])
  const heaviest = smallest([ENDLESS, ...sentOf(SCALE.slice(place + 1))])
  const { above, min, max, below } = bounds
  const tooHeavy = (weight: Rational) =>
    (max !== undefined && greater(weight, rational(max))) || (below !== undefined && !greater(rational(below), weight))
  const tooLight = (weight: Rational) =>
    (min !== undefined && greater(rational(min), weight)) || (above !== undefined && !greater(weight, rational(above)))
  if (tooHeavy(lightest) || tooLight(heaviest)) return false
  return !tooLight(lightest) && !tooHeavy(heaviest) ? true : undefined
}

/** A vehicle that was on the road before the day, or whose registration is handed over, was registered before. */
export function provenRegister(fact: string, wanted: boolean, { facts, sent, asked }: World): boolean | undefined {
  if (fact !== 'previouslyRegistered') return undefined
  const before = sent.has('firstRegisteredDate') && (facts.get('firstRegisteredDate') as string) < asked
  return before || facts.get('registrationType') === 'transfer' ? wanted : undefined
}

/** A vehicle is on the road only once it is made, and at the earliest in the year before that of its model. */
export function provenDate(fact: string, to: string | undefined, { facts, sent }: World): boolean | undefined {
  if (fact !== 'firstRegisteredDate' || to === undefined) return undefined
  const year = sent.has('year') ? (facts.get('year') as Rational) : undefined
  const made = sent.has('manufactureDate') ? (facts.get('manufactureDate') as string) : ''
  return made > to || (year && `${year.n / year.d - 1n}-01-01` > to) ? false : undefined
}
