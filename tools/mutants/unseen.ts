import { subjectOf } from '#rates/checks/subject.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { eachPostcode, valueAt, type Proof } from './difference.ts'
import { isGradedWorse } from './grades.ts'

const notTheGreatest: Proof = ({ spec, mutant, place }) => {
  const at = place.indexOf('greatestOf')
  if (at < 0) return undefined
  const greatest = (of: RateSetSpec) => {
    const offers = (valueAt(of, place.slice(0, at + 1)) ?? []) as { amount: string }[]
    return Math.max(...offers.map(({ amount }) => Number(amount)))
  }
  return greatest(spec) === greatest(mutant) ? 'Another insurer asks for more; only the greatest counts.' : undefined
}

const shareOfNothing: Proof = ({ spec, place }) => {
  const [root, rule, key] = place
  if (root !== 'rules' || key !== 'gst' || spec.rules[Number(rule)]!.category !== 'onRoad') return undefined
  const charged = spec.rules[Number(rule)]!.cases.some(({ charge }) => charge !== undefined)
  return charged ? undefined : 'The rule charges nothing, so nothing has a share of GST.'
}

const datesOfTheYear: Proof = ({ spec, mutant, place }) => {
  const key = place.at(-1)
  if ((key !== 'startDate' && key !== 'endDate') || valueAt(mutant, place) !== undefined) return undefined
  const { start, end } = subjectOf(spec, []).year
  const bound = key === 'startDate' ? start : end
  return valueAt(spec, place) === bound ? 'Without it the year begins and ends on the same day.' : undefined
}

const gradedWorse: Proof = ({ spec, place }) =>
  isGradedWorse(spec, place) ? 'Every line that it goes into is graded no better without it.' : undefined

/** The zone of every postcode: the first zone that lists it. */
function zonesOf({ zones = [] }: RateSetSpec, position: number): Map<number, string> {
  const found = new Map<number, string>()
  for (const { zone, postcodes } of zones[position]!.values)
    for (const postcode of postcodes.flatMap(eachPostcode)) if (!found.has(postcode)) found.set(postcode, zone)
  return found
}

const sameZones: Proof = ({ spec, mutant, place: [root, position] }) => {
  if (root !== 'zones') return undefined
  const [was, is] = [spec, mutant].map((set) => zonesOf(set, Number(position))) as [
    Map<number, string>,
    Map<number, string>,
  ]
  const isSame = was.size === is.size && [...was].every(([postcode, zone]) => is.get(postcode) === zone)
  return isSame ? 'A zone before has the postcode, so that each is in the zone that it was in.' : undefined
}

interface Graded {
  adjustments?: { evidence?: string }[]
  charge?: { table?: { rows: { evidence?: string; amounts: readonly string[] }[] } }
}

const gradedInside: Proof = ({ spec, place }) => {
  if (place.at(-1) !== 'evidence') return undefined
  const { adjustments, charge } = valueAt(spec, place.slice(0, -1)) as Graded
  // A row without a published amount produces no line.
  const rows = charge?.table?.rows.filter(({ amounts }) => amounts.some((amount) => amount !== '-'))
  const inside = adjustments ?? rows ?? []
  const isGraded = inside.length > 0 && inside.every(({ evidence }) => evidence !== undefined)
  return isGraded ? 'Each of its parts has a grade of its own.' : undefined
}

const sameForTheSet: Proof = ({ spec, mutant, place }) => {
  const [root, rule, key, position] = place
  if (root !== 'rules' || key !== 'missing' || position === undefined || place.length > 4) return undefined
  const was = spec.rules[Number(rule)]!.missing ?? []
  const entry = JSON.stringify(was[Number(position)])
  const others = was
    .filter((_, at) => at !== Number(position))
    .filter(({ fact }) => fact === was[Number(position)]?.fact)
  const isDropped = (mutant.rules[Number(rule)]!.missing ?? []).length < was.length
  const ofSet = spec.missing?.find(({ fact }) => fact === was[Number(position)]?.fact)
  const isSame = others.length === 0 && JSON.stringify(ofSet) === entry
  return isDropped && isSame ? 'The set says the same for every rule.' : undefined
}

/** Proofs that need no search: no answer contains what the mutation changed. */
export const UNSEEN: readonly Proof[] = [
  notTheGreatest,
  shareOfNothing,
  datesOfTheYear,
  gradedWorse,
  gradedInside,
  sameForTheSet,
  sameZones,
]
