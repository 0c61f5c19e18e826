import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PricingFault } from '#rates/engine/answer.ts'
import { isDate } from '#rates/engine/dates.ts'
import { quote as price } from '#rates/engine/quote/quote.ts'
import type { QuoteRequest } from '#rates/engine/request.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { timeOf } from '#rates/release/in-force.ts'
import { snapshotOfBundle } from '#rates/release/bundle.ts'
import { WrongCall, type Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { asJson, oneOf } from './output.ts'
import { priceSheet } from './price-sheet.ts'
import { snapshotOf } from './rate-files.ts'
import { SETS } from './rate-folders.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'quote -f request.json [--rates rates/sets | context:NAME] [--as-known-at TIME] [--date YYYY-MM-DD] [--explain]',
  ],
  about:
    'Prices one request from files, without a cluster: the answer of POST /v1/quote, from the same engine, as a price sheet. The request is the body of that call; absent fields have the defaults of the API.',
  options: [
    ['-f, --file FILE', 'the request; - reads standard input'],
    ['--rates DIR', 'the rate sets (default: rates/sets), or context:NAME: the release in force in a cluster'],
    [
      '--as-known-at TIME',
      'the release of that cluster that was in force at an ISO time with a zone, or a release (default: options.asKnownAt of the request)',
    ],
    ['--date DATE', 'replaces registration.startDate, and purchaseDate if it is absent'],
    ['--explain', 'show the case, the basis, the band, each step and the source under each line'],
    ['--output json', 'the answer of the API as JSON'],
  ],
  examples: [
    ['quote -f docs/examples/quote.json --explain', 'a new SUV in Victoria, line by line'],
    ['quote -f docs/examples/quote.json --date 2026-06-30', 'the same on the last day of the previous year'],
  ],
  exits: { done: 'priced', refused: 'the rates have faults, or the request cannot be priced' },
}

export const options = {
  file: { type: 'string', short: 'f', path: 'file' },
  rates: { type: 'string', default: SETS, path: 'folder' },
  'as-known-at': { type: 'string' },
  date: { type: 'string' },
  explain: { type: 'boolean', default: false },
  output: OUTPUT,
} as const

export const operands = { path: 'file' } as const

/** Prints the quote of a request; returns 1 when the rates or the request have faults. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const output = oneOf('output', values.output, options.output.choices)
  const [source, ...rest] = [...(values.file === undefined ? [] : [values.file]), ...positionals]
  if (source === undefined || rest.length > 0) throw new WrongCall('expected one request: -f request.json')
  if (values.date !== undefined && !isDate(values.date))
    throw new WrongCall(`--date: expected a day YYYY-MM-DD, found ${values.date}`)
  const request = readRequest(source, values)
  const snapshot = await ratesOf(values, request, terminal)
  if (!snapshot) return 1
  try {
    const answer = price(request, snapshot)
    for (const line of output === 'json' ? [asJson(answer)] : priceSheet(request, answer, terminal))
      terminal.write(line)
    return 0
  } catch (error) {
    if (!(error instanceof PricingFault)) throw error
    if (output === 'json') terminal.write(asJson({ code: error.code, path: error.path, message: error.message }))
    terminal.note(`${error.code} ${error.path}: ${error.message}`)
    return 1
  }
}

/** The rates of a folder, or of a cluster as they were known at a time; undefined where they have faults, which are printed. */
async function ratesOf(
  { rates, 'as-known-at': time }: { rates: string; 'as-known-at'?: string | undefined },
  { options: asked }: QuoteRequest,
  terminal: Terminal,
): Promise<Snapshot | undefined> {
  const asKnownAt = time ?? asked?.asKnownAt
  if (asKnownAt !== undefined && !/^sha256:[0-9a-f]{64}$/.test(asKnownAt) && timeOf(asKnownAt) === undefined)
    throw new WrongCall(`asKnownAt: expected a release or an ISO time with a zone, found ${asKnownAt}`)
  if (rates.startsWith('context:')) {
    const { readKeptRelease } = await import('./kept-release.ts')
    const { content } = await readKeptRelease(asKnownAt === undefined ? rates : `${rates}@${asKnownAt}`)
    return snapshotOfBundle(content)
  }
  if (asKnownAt === undefined) return snapshotOf(rates, terminal)
  throw new WrongCall(
    '--as-known-at, or options.asKnownAt of the request, needs --rates context:NAME: a folder has only its present rates',
  )
}

/** Reads the body of POST /v1/quote from a file, or from the standard input when the file is `-`. */
function readRequest(source: string, { date, explain }: { date?: string | undefined; explain: boolean }): QuoteRequest {
  const request = parseJson(readSource(source), source) as Partial<QuoteRequest>
  if (date !== undefined) {
    request.registration = { ...request.registration, startDate: date }
    request.purchaseDate ??= date
  }
  if (explain) request.options = { ...request.options, explain: true }
  const missing = [
    ...(typeof request.pricingCode === 'string' ? [] : ['pricingCode']),
    ...(typeof request.purchaseDate === 'string' ? [] : ['purchaseDate']),
    ...(Array.isArray(request.pricingInputs?.dutiable) ? [] : ['pricingInputs.dutiable']),
    ...(typeof request.registration?.startDate === 'string' ? [] : ['registration.startDate']),
  ]
  if (missing.length > 0) throw new Error(`${source}: a request needs ${missing.join(', ')}`)
  return request as QuoteRequest
}

function readSource(source: string): string {
  if (source === '-') return readFileSync(0, 'utf8')
  // Reading a folder fails with an error that does not name the path.
  if (statSync(source).isDirectory()) throw new WrongCall(`${source} is a folder; expected a file`)
  return readFileSync(source, 'utf8')
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${source} is not JSON: ${(error as Error).message}`)
  }
}
