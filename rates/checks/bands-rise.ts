import { compare, formatExact, type Exact } from '../engine/exact.ts'
import type { Band, Charge } from '../engine/grammar/charge.ts'
import type { Fault } from './fault.ts'
import { daysOfChange, resolveAmount } from './amounts.ts'
import { chargesOf } from './parts.ts'
import { entries, type At, type Check, type Subject } from './subject.ts'

/** Each band ends above the band before it, on every day on which an edge changes; only the last band has no end. */
export const bandsRise: Check = (subject) =>
  chargesOf(subject.spec).flatMap((charge) => [...openBands(charge), ...fallingBands(charge, subject)])

function openBands({ path, value }: At<Charge>): Fault[] {
  const bands = entries(`${path}.bands`, value.bands)
  return bands.flatMap((band, position) => {
    const last = position === bands.length - 1
    if (last === (band.value.upTo === undefined)) return []
    const message = last
      ? 'the last band has an upTo: amounts above it have no charge'
      : 'only the last band has no upTo'
    return [{ check: 'bands-rise', path: last ? `${band.path}.upTo` : band.path, message }]
  })
}

function fallingBands({ path, value }: At<Charge>, subject: Subject): Fault[] {
  const edges = entries(`${path}.bands`, value.bands).filter(({ value: { upTo } }) => upTo !== undefined)
  return edges.slice(1).flatMap((band, position) => {
    const before = edges[position]!
    const days = daysOfChange([before.value.upTo!, band.value.upTo!], subject)
    const found = days.map((day) => falls(before, band, { day, subject })).find((message) => message !== undefined)
    return found === undefined ? [] : [{ check: 'bands-rise', path: `${band.path}.upTo`, message: found }]
  })
}

function falls(
  before: At<Band>,
  band: At<Band>,
  { day, subject }: { day: string; subject: Subject },
): string | undefined {
  const low = resolveAmount(before.value.upTo!, day, subject)
  const high = resolveAmount(band.value.upTo!, day, subject)
  if (!low || !high || compare(high, low) > 0) return undefined
  return `band edge ${shown(band.value.upTo!, high, day)} is not above ${shown(before.value.upTo!, low, day)}`
}

const shown = (text: string, value: Exact, day: string) =>
  /[A-Z]/.test(text) ? `${text} (${formatExact(value)} on ${day})` : text
