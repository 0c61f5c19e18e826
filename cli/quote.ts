import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAll } from '#rates/checks/check-all.ts'
import { PricingFault } from '#rates/engine/answer.ts'
import { quote as price } from '#rates/engine/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import { compileRateSets } from '#rates/files/compile.ts'
import { describeFault } from '#rates/files/located.ts'
import { readRateSets } from '#rates/files/read.ts'
import { quoteLines } from './quote-lines.ts'
import type { Terminal } from './terminal.ts'

export const usage =
  'driveaway quote <request.json | -> [--rates rates/sets] [--json]   one quote from files, without a cluster'

/** Prints the quote of a request; 0 when it is priced, 1 when the rates or the request are at fault, 2 on a wrong call. */
export function quote(args: string[], terminal: Terminal): number {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { rates: { type: 'string', default: 'rates/sets' }, json: { type: 'boolean', default: false } },
  })
  const [source, ...rest] = positionals
  if (source === undefined || rest.length > 0) return terminal.misused(usage)
  const request = readRequest(source)
  const files = readRateSets([values.rates])
  const faults = checkAll(files)
  for (const fault of faults) terminal.note(describeFault(fault))
  if (faults.length > 0) return 1
  try {
    const answer = price(request, compileRateSets(files))
    for (const line of values.json ? [JSON.stringify(answer, null, 2)] : quoteLines(answer)) terminal.write(line)
    return 0
  } catch (error) {
    if (!(error instanceof PricingFault)) throw error
    terminal.note(`${error.code} ${error.path}: ${error.message}`)
    return 1
  }
}

/** Reads the body of POST /v1/quote from a file, or from the standard input where the file is `-`. */
function readRequest(source: string): QuoteRequest {
  const text = readFileSync(source === '-' ? 0 : source, 'utf8')
  const request = JSON.parse(text) as Partial<QuoteRequest>
  const missing = [
    ...(typeof request.pricingCode === 'string' ? [] : ['pricingCode']),
    ...(typeof request.purchaseDate === 'string' ? [] : ['purchaseDate']),
    ...(Array.isArray(request.pricingInputs?.dutiable) ? [] : ['pricingInputs.dutiable']),
    ...(typeof request.registration?.startDate === 'string' ? [] : ['registration.startDate']),
  ]
  if (missing.length > 0) throw new Error(`${source}: a request needs ${missing.join(', ')}`)
  return request as QuoteRequest
}
