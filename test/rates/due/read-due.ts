import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { addYears, dayOf, isoOf } from '#rates/engine/dates.ts'
import type { Given } from '#rates/engine/grammar/rate-set.ts'

/** A charge that the law puts on a registration, with the law that does. */
export interface Due {
  component: string
  law: string
  /** Absent: on a first registration only. */
  registration?: string[]
  condition?: string[]
  bodiesExcept?: string[]
  /** For a shorter term than so many months. */
  monthsBelow?: number
  only?: 'luxury'
  /** The line that has it inside for goods vehicles. */
  inside?: string
  /** Years of which only totals were printed, of every vehicle. */
  wholeIn?: string[]
}

/** A vehicle of the portfolio; a used one is so many years old. */
export interface Vehicle {
  name: string
  kind: string
  luxury?: boolean
  ageYears?: number
  given: Given
}

const read = <T>(name: string): T => parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as T

export const portfolio = read<{ vehicles: Vehicle[] }>('portfolio.yaml').vehicles

const federal = read<{ due: Due[] }>('au.yaml').due

/** What is due by law in a jurisdiction, the Commonwealth's charges among it. */
export const dueIn = (pricingCode: string): Due[] => [
  ...read<{ due: Due[] }>(`${pricingCode.toLowerCase().replace('_', '-')}.yaml`).due,
  ...federal,
]

const GOODS = ['ute', 'cab_chassis', 'van']

/** Whether a charge is due on what is asked. */
export function applies(due: Due, vehicle: Vehicle, given: Given): boolean {
  const { registration = ['new'], monthsBelow = Infinity, only } = due
  const { registrationType = 'new', termMonths = 12 } = given
  if (!registration.includes(registrationType) || termMonths >= monthsBelow) return false
  return ofKind(due, given) && (only === undefined || vehicle.luxury === true)
}

function ofKind({ condition, bodiesExcept = [] }: Due, given: Given): boolean {
  if (bodiesExcept.includes(given.bodyType ?? '')) return false
  return condition === undefined || condition.includes(given.condition ?? 'new')
}

/** The line that has a charge inside, where the charge is no line of its own. */
export function holderOf({ inside, wholeIn = [] }: Due, { bodyType = '' }: Given, financialYear: string) {
  return GOODS.includes(bodyType) || wholeIn.includes(financialYear) ? inside : undefined
}

const POSTCODES: Record<string, string> = {
  AU_ACT: '2600',
  AU_NSW: '2000',
  AU_NT: '0800',
  AU_QLD: '4000',
  AU_SA: '5000',
  AU_TAS: '7000',
  AU_VIC: '3000',
  AU_WA: '6000',
}

/** The inputs of a quote of a vehicle on a day, with every fact that a set may read. */
export function givenOn({ given, ageYears }: Vehicle, pricingCode: string, day: string): Given {
  const price = given.dutiable!
  const all = { listPrice: price, marketValue: price, customerType: 'consumer', usageType: 'consumer', ...given }
  const born = ageYears === undefined ? day : isoOf(addYears(dayOf(day), -ageYears))
  const history = { manufactureDate: born, previouslyRegistered: ageYears !== undefined, demonstrator: false }
  const registered = ageYears === undefined ? {} : { firstRegisteredDate: born }
  return { ...all, ...history, ...registered, postcode: POSTCODES[pricingCode]! }
}
