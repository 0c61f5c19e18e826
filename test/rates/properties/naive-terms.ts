import type { Rule, TermFactor } from '#rates/engine/grammar/rule.ts'
import type { World } from './naive-conditions.ts'
import { greater, over, rational, type Rational } from './rational.ts'

/** The factor of the term asked for, where the line depends on the term. */
export function termOf(rule: Rule, world: World) {
  const terms = rule.terms ?? world.spec.termScales?.find(({ name }) => name === rule.termScale)?.terms
  return terms?.find(
    ({ months }) =>
      !greater(rational(months), world.facts.get('termMonths') as Rational) &&
      !greater(world.facts.get('termMonths') as Rational, rational(months)),
  )
}

/** The share of the annual amount; by days where the factor says so. */
export function shareOf({ factor, months }: TermFactor, date: string): Rational {
  if (factor !== 'days') return rational(factor)
  return over(rational(daysFrom(date, months)), rational(daysFrom(date, 12)))
}

const DAY = 86_400_000

function daysFrom(date: string, months: number): number {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return (Date.UTC(year, month - 1 + months, Math.min(day, lastOfMonth)) - Date.UTC(year, month - 1, day)) / DAY
}
