import { readFileSync } from 'node:fs'
import Engine, { type RawPublicodes, type Situation } from 'publicodes'
import { parse } from 'yaml'
import type { Car, Lines, Peer } from './car.ts'

const RULES: Record<string, string> = {
  LUXURY_CAR_TAX: 'luxury car tax',
  STAMP_DUTY: 'stamp duty',
  REGISTRATION: 'registration',
  SHORT_TERM_FEE: 'short term fee',
  CTP: 'ctp',
  INSURANCE_DUTY: 'insurance duty',
  PLATES: 'plates',
  TRANSFER_FEE: 'transfer fee',
}

/** publicodes, the language of the French administration's simulators: parsed once, a new situation for each car. */
export function publicodes(): Peer {
  const text = readFileSync(new URL('publicodes.yaml', import.meta.url), 'utf8')
  const engine = new Engine(parse(text) as RawPublicodes<string>)
  return {
    name: 'publicodes',
    price: (car) => {
      engine.setSituation(situationOf(car))
      const lines: Lines = {}
      for (const [component, rule] of Object.entries(RULES)) {
        lines[component] = engine.evaluate(rule).nodeValue as number
      }
      return lines
    },
  }
}

const word = (text: string) => `'${text}'`
const truth = (value: boolean) => (value ? 'oui' : 'non')

function situationOf(car: Car): Situation<string> {
  return {
    dutiable: car.dutiable,
    'market value': car.marketValue,
    'body type': word(car.bodyType),
    'fuel type': word(car.fuelType),
    'usage type': word(car.usageType),
    'registration type': word(car.registrationType),
    'never registered': truth(car.neverRegistered),
    'term months': car.termMonths,
    zone: word(car.zone),
    co2: car.co2,
    consumption: car.consumption,
    'goods margin': car.goodsMarginKg,
    'over two years': truth(car.overTwoYears),
    'used before July 2025': truth(car.usedBeforeJuly2025),
    'lct paid': car.lctPreviouslyPaid,
  }
}
