import type { Charge, Interpolate, Table } from '#rates/engine/grammar/charge.ts'
import { amount, isOf, Needed, Unpriced, zoneOf, type World } from './naive-conditions.ts'
import { stated } from './naive-grades.ts'
import { provenWeight } from './naive-proofs.ts'
import {
  greater,
  integer,
  largest,
  minus,
  NIL,
  over,
  plus,
  rational,
  roundedTo,
  smallest,
  times,
  type Rational,
} from './rational.ts'

type Term = (text: string) => Rational

/** Dollars of a charge before the term: the form, then less, atLeast, atMost and round, one after the other. */
export function charged(charge: Charge, world: World, term: Term): Rational {
  let value = form(charge, world)
  for (const text of charge.less ?? []) value = minus(value, term(text))
  if (charge.atLeast !== undefined) value = largest([value, amount(charge.atLeast, world)])
  if (charge.atMost !== undefined) value = smallest([value, amount(charge.atMost, world)])
  return charge.round ? roundedTo(value, rational(charge.round.to), charge.round.mode ?? 'halfUp') : value
}

function form(charge: Charge, world: World): Rational {
  const { flat, whole, bands, interpolate, units, table, greatestOf } = charge
  if (flat !== undefined) return amount(flat, world)
  if (whole) return proportion(whole, world.basis(), world)
  if (interpolate) return interpolated(interpolate, world)
  if (bands) return banded(bands, world)
  if (greatestOf) return largest(greatestOf.map((offer) => amount(offer.amount, world)))
  if (table) return tabled(table, world)
  const count = over(factNumber(units!.of, world), rational(units!.per))
  const counted = units!.part === 'prorata' ? count : { n: integer(count, units!.part), d: 1n }
  return times(counted, amount(units!.rate, world))
}

function proportion(part: { rate?: string; per?: string; percent?: string }, on: Rational, world: World): Rational {
  if (part.percent !== undefined) return times(on, over(rational(part.percent), rational(100)))
  const units = integer(over(on, amount(part.per!, world)), 'up')
  return times({ n: units, d: 1n }, amount(part.rate!, world))
}

function interpolated({ percent, above, divisor, decimals, mode = 'halfUp' }: Interpolate, world: World): Rational {
  const rise = over(minus(world.basis(), amount(above, world)), rational(divisor))
  const rate = roundedTo(plus(rational(percent), rise), { n: 1n, d: 10n ** BigInt(decimals) }, mode)
  return times(world.basis(), over(rate, rational(100)))
}

function banded(bands: NonNullable<Charge['bands']>, world: World): Rational {
  let floor = NIL
  for (const band of bands) {
    const edge = band.upTo === undefined ? undefined : amount(band.upTo, world)
    if (edge && greater(world.basis(), edge)) {
      floor = edge
      continue
    }
    if (band.flat !== undefined) return amount(band.flat, world)
    if (band.whole) return proportion(band.whole, world.basis(), world)
    if (band.interpolate) return interpolated(band.interpolate, world)
    const base = band.excess!.plus === undefined ? NIL : amount(band.excess!.plus, world)
    return plus(base, proportion(band.excess!, minus(world.basis(), floor), world))
  }
  throw new Error('no band')
}

function tabled(table: Table, world: World): Rational {
  const row = table.rows.find((one) => {
    if (one.upTo !== undefined) return reaches(table.fact!, one.upTo, world)
    if (one.zone !== undefined) return knownZone(table.zone!, world) === one.zone
    return one.class === undefined || isKnown(one.class, world)
  })
  const column = table.columns ? table.columns.findIndex((name) => isKnown(name, world)) : 0
  const cell = row?.amounts[column]
  if (cell === undefined || cell === '-') throw new Unpriced()
  world.rowGrade = row && stated(row)
  return amount(cell, world)
}

/** Whether a row reaches as far as the fact, which other facts may prove where it is not known. */
function reaches(fact: string, upTo: string, world: World): boolean {
  const proven = world.facts.has(fact) ? undefined : provenWeight(fact, { max: upTo }, world)
  return proven ?? !greater(factNumber(fact, world), rational(upTo))
}

function isKnown(name: string, world: World): boolean {
  const { truth, causes } = isOf(name, world, [])
  if (truth === undefined) throw new Needed(causes)
  return truth
}

function knownZone(list: string, world: World): string {
  const zone = zoneOf(list, world)
  if (zone === undefined) throw new Needed([{ zone: list, classes: [] }])
  return zone
}

function factNumber(fact: string, world: World): Rational {
  const value = world.facts.get(fact)
  if (value === undefined) throw new Needed([{ fact, classes: [] }])
  return value as Rational
}
