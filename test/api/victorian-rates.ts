import { encodeRateSet, type EncodedSet } from '../../rates/published/encode-rates.ts'
import { readRateSets } from '../../rates/files/read.ts'
import { compileFiles } from '../../api/load/rate-set-files.ts'
import type { RateSetSpec } from '../../rates/engine/grammar/rate-set.ts'
import type { RateSetFile } from '../../rates/files/rate-set-file.ts'
import type { HeldRates } from '../../api/load/held.ts'

const FILES = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml']

/** The federal and the Victorian set of 2026-27, with the lowest duty of passenger cars at `rate` dollars per 200. */
function files(rate: string): RateSetFile[] {
  return readRateSets(FILES).map((file) => {
    const text = JSON.stringify(file.spec).replaceAll('"rate":"8.40"', `"rate":"${rate}"`)
    return { ...file, spec: JSON.parse(text) as unknown }
  })
}

export const victorianRates = (rate = '8.40'): HeldRates => compileFiles(files(rate))

/** The same sets as an operator publishes them. */
export function publishedVictoria(rate = '8.40'): EncodedSet[] {
  const [au, vic] = files(rate) as [RateSetFile, RateSetFile]
  const federal = encodeRateSet(au.name, au.spec as RateSetSpec)
  const { name, pricingCode, digest } = federal.entry
  return [federal, encodeRateSet(vic.name, vic.spec as RateSetSpec, [{ name, pricingCode, digest }])]
}

/**
 * Cents of duty on a new petrol car of $45,000 at 150 g/km, by the formula of the Duties Act 2000 (Vic) s 218: `rate`
 * dollars for each $200 or part, which are 225.
 */
export const dutyOn45000 = (rate: number): number => Math.round(225 * rate * 100)
