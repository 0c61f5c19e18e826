import { readFileSync } from 'node:fs'
import { ZenEngine } from '@gorules/zen-engine'
import type { Lines, Peer } from './car.ts'

/** GoRules' ZEN, a native engine: one decision, compiled once. */
export function zenEngine(): Peer {
  const engine = new ZenEngine()
  const decision = engine.createDecision(readFileSync(new URL('zen-engine.json', import.meta.url)))
  return {
    name: '@gorules/zen-engine',
    price: async (car) => (await decision.evaluate(car)).result as Lines,
  }
}
