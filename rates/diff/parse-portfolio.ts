import { parse } from 'yaml'
import type { Portfolio } from './portfolio.ts'

/** Parses a portfolio; throws when a part of it is missing. */
export function parsePortfolio(text: string): Portfolio {
  const value = parse(text) as Partial<Portfolio> | null
  if (!value?.prices || !value.bodies || !value.fuels) throw new Error('a portfolio has prices, bodies and fuels')
  return value as Portfolio
}
