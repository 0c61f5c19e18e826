import { readFileSync } from 'node:fs'
import { parsePortfolio } from '#rates/diff/parse-portfolio.ts'
import type { Portfolio } from '#rates/diff/portfolio.ts'

/** The vehicles that a comparison prices. */
export function committedPortfolio(): Portfolio {
  const file = new URL('../../rates/diff/portfolio.yaml', import.meta.url)
  return parsePortfolio(readFileSync(file, 'utf8'))
}
