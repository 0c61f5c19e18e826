import { quote } from '#rates/engine/quote/quote.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { mustAgree } from './peers/agree.ts'
import { carOf, zonesOf } from './peers/car.ts'
import { jsonRulesEngine } from './peers/json-rules-engine.ts'
import { publicodes } from './peers/publicodes.ts'
import { zenEngine } from './peers/zen-engine.ts'
import { ratioOf, type Figure, type Section } from './report.ts'
import { agreed, measured } from './requests.ts'
import { timeInTurns } from './rounds.ts'

const FILES = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml']
const TARGET_US = 5
/** Quotes in flight, for the peer that prices in threads. */
const AT_ONCE = 32
const QUOTE = 'a quote'
const EXPLAINED = 'a quote, explained'
const UNSAID = 'a quote that does not say whether the sale bears GST'

/**
 * A Victorian quote by our engine and by general rules engines with the same rules. First all must agree to the cent.
 */
export async function inProcess(): Promise<Section> {
  const files = readRateSets(FILES)
  const snapshot = compileRateSets(files)
  const zoneOf = zonesOf((files[1]?.spec as RateSetSpec).zones![0]!)
  const peers = [jsonRulesEngine(), zenEngine(), publicodes()]
  for (const peer of peers) await mustAgree(peer, agreed, snapshot, zoneOf)
  const explained = { ...measured, options: { explain: true } }
  const { dutiable, marketValue } = measured.pricingInputs
  const unsaid = { ...measured, pricingInputs: { dutiable, marketValue } }
  const car = carOf(measured, zoneOf)
  const zen = peers[1]!
  const manyByZen = () => Promise.all(Array.from({ length: AT_ONCE }, () => zen.price(car)))
  const times = await timeInTurns([
    { name: QUOTE, run: () => quote(measured, snapshot) },
    { name: EXPLAINED, run: () => quote(explained, snapshot) },
    { name: UNSAID, run: () => quote(unsaid, snapshot) },
    ...peers.map((peer) => ({ name: peer.name, run: () => peer.price(car) })),
    { name: `${zen.name}, ${AT_ONCE} at once`, run: manyByZen, each: AT_ONCE },
  ])
  return { title: 'A Victorian quote in process', how, figures: [...times].map((each) => figureOf(each, times)) }
}

const how =
  `A new SUV above the luxury car tax threshold: eight lines with their rules, GST, warnings and totals. The peers have ` +
  `the same rules, written by hand in their own languages, and gave the same cents for ${agreed.length} requests before they were ` +
  'timed. The peers omit what their languages lack (postcode zones, ages), and return only amounts: no lines, no GST, ' +
  'no warnings.'

function figureOf([name, us]: [string, number], times: ReadonlyMap<string, number>): Figure {
  const ours = times.get(QUOTE) ?? NaN
  const measured = `${us.toFixed(us < 100 ? 1 : 0)} µs`
  if (name === QUOTE) {
    const rest = { comparedWith: `${TARGET_US} µs`, target: `at most 1 (${TARGET_US} µs at the median)` }
    return { what: name, measured, ratio: ratioOf(us, TARGET_US), met: us < TARGET_US, ...rest }
  }
  const rest = { measured, ratio: ratioOf(us, ours), comparedWith: QUOTE }
  if (name === EXPLAINED || name === UNSAID) return { what: name, ...rest, target: '', met: null }
  return { what: name, ...rest, target: 'above 1', met: us > ours }
}
