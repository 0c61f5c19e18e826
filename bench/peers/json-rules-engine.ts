import { readFileSync } from 'node:fs'
import { Engine, type Almanac, type RuleProperties, type TopLevelCondition } from 'json-rules-engine'
import type { Lines, Peer } from './car.ts'

interface RuleFile {
  conditions: Record<string, TopLevelCondition>
  rules: RuleProperties[]
}

/** The charge of a rule that fires, in cents and percent. */
interface Charge {
  flat?: number
  annual?: number
  rate?: number
  per?: number
  percent?: number
  percentAbove?: number
  percentOfCtp?: number
}

/** json-rules-engine: rules choose the charge, and the application does the arithmetic, as in its documentation. */
export function jsonRulesEngine(): Peer {
  const file = new URL('json-rules-engine.json', import.meta.url)
  const { conditions, rules } = JSON.parse(readFileSync(file, 'utf8')) as RuleFile
  const engine = new Engine(rules)
  for (const [name, condition] of Object.entries(conditions)) engine.setCondition(name, condition)
  engine.addFact('luxuryCarTax', 0)
  engine.addFact('dutiableValue', dutiableValue)
  engine.on('success', async ({ type, params }, almanac) => {
    const cents = await amountOf(params as Charge, almanac)
    almanac.addRuntimeFact(type, cents)
    if (type === 'LUXURY_CAR_TAX') almanac.addRuntimeFact('luxuryCarTax', cents)
  })
  return {
    name: 'json-rules-engine',
    price: async (car) => {
      const { events, almanac } = await engine.run({ ...car })
      const lines: Lines = {}
      for (const { type } of events) lines[type] = await almanac.factValue<number>(type)
      return lines
    },
  }
}

async function dutiableValue(_params: unknown, almanac: Almanac): Promise<number> {
  const dutiable = await almanac.factValue<number>('dutiable')
  const luxuryCarTax = await almanac.factValue<number>('luxuryCarTax')
  return Math.max(dutiable + luxuryCarTax, await almanac.factValue<number>('marketValue'))
}

async function amountOf(charge: Charge, almanac: Almanac): Promise<number> {
  const { flat, annual, rate, per = 1, percent = 0, percentAbove, percentOfCtp } = charge
  const fact = (name: string) => almanac.factValue<number>(name)
  if (flat !== undefined) return flat
  if (annual !== undefined) return halfUp((annual * (await fact('termMonths'))) / 12)
  if (rate !== undefined) return Math.ceil((await fact('dutiableValue')) / per) * rate
  if (percentOfCtp !== undefined) return halfUp(((await fact('CTP')) * percentOfCtp) / 100)
  const above = (await fact('dutiable')) - (percentAbove ?? 0)
  return Math.max(0, halfUp((above * percent) / 100 - (await fact('lctPreviouslyPaid'))))
}

const halfUp = (cents: number) => Math.floor(cents + 0.5)
