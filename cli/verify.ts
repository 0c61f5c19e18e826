import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { parseDocument } from 'yaml'
import { PricingFault } from '#rates/engine/answer.ts'
import { readBundle } from '#rates/release/bundle.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { readReceipt, type Exchange, type ReceiptClaims, type Receipted } from '#rates/release/receipt.ts'
import { differences, priceAgain } from '#rates/release/price-again.ts'
import { ReleaseFault, type ReleaseKey } from '#rates/release/signed.ts'
import { WrongCall, type Help } from './help.ts'
import { keysIn } from './trusted-keys.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['verify quote.json --keys FILE [--bundle FILE] [--request FILE] [--environment NAME]'],
  about:
    'Verifies the receipt of a quote or of a solved target, without a network: who signed it, and that neither the request nor any figure was altered. With the bundle of its release, prices the request again, to the cent. quote.json has the request and the answer: {"request": …, "answer": …}; with --request it is the answer alone.',
  options: [
    ['--keys FILE', 'the public keys that are trusted: the answer of GET /.well-known/release-keys, or a JSON list'],
    ['--bundle FILE', 'the bundle of the release that priced the quote'],
    ['--request FILE', 'the request, if quote.json has only the answer'],
    ['--environment NAME', 'accept only receipts of this environment (default: every environment of the keys)'],
  ],
  examples: [
    ['verify quote.json --keys keys.json', 'is this quote one of ours?'],
    ['verify quote.json --keys keys.json --bundle rates.bundle', 'do the rates give the same cents, too?'],
  ],
  exits: { done: 'the receipt holds', refused: 'the receipt is not valid, or the figures differ' },
}

export const options = {
  keys: { type: 'string', path: 'file' },
  bundle: { type: 'string', path: 'file' },
  request: { type: 'string', path: 'file' },
  environment: { type: 'string' },
} as const

export const operands = { path: 'file' } as const

/** Verifies a receipt; returns 1 and prints the reason when it is invalid. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const { keys: keysFile, bundle, request, environment } = values
  const [file, ...rest] = positionals
  if (!file || rest.length > 0 || !keysFile) throw new WrongCall('expected one quote, and --keys')
  const priced = pricedIn(file, request)
  const keys = keysIn(keysFile)
  try {
    const { kid, claims } = await readReceipt(priced, keys)
    checkEnvironment(claims, environment)
    for (const line of said(file, kid, claims)) terminal.write(line)
    return bundle === undefined ? 0 : await checkFigures(priced, claims, { bundle, keys, terminal })
  } catch (fault) {
    if (!(fault instanceof ReleaseFault)) throw fault
    terminal.note(`${file}: ${fault.message}`)
    return 1
  }
}

interface Means {
  bundle: string
  keys: readonly ReleaseKey[]
  terminal: Terminal
}

/** Prices the request again with the bundle; returns 1 when a figure differs. Throws ReleaseFault. */
async function checkFigures(
  priced: Exchange,
  claims: ReceiptClaims,
  { bundle, keys, terminal }: Means,
): Promise<number> {
  const opened = await readBundle(new Uint8Array(readFileSync(bundle)), keys)
  if (opened.claims.release !== claims.release)
    throw new ReleaseFault(
      'other_release',
      `the quote is of release ${claims.release}, the bundle of ${opened.claims.release}`,
    )
  if (opened.claims.environment !== claims.environment)
    throw new ReleaseFault(
      'other_environment',
      `the quote is of environment ${claims.environment}, the bundle of ${opened.claims.environment}`,
    )
  const different = differencesWith(priced, () => priceAgain(priced, opened.content))
  for (const line of different) terminal.note(line)
  if (different.length === 0) terminal.write('priced again with the bundle: the same, to the cent')
  return different.length > 0 ? 1 : 0
}

function differencesWith({ answer }: Exchange, price: () => Receipted): string[] {
  try {
    return differences(answer, price())
  } catch (fault) {
    if (!(fault instanceof PricingFault)) throw fault
    return [`the request cannot be priced again: ${fault.code} ${fault.path}: ${fault.message}`]
  }
}

function checkEnvironment({ environment }: ReceiptClaims, expected: string | undefined): void {
  if (expected !== undefined && environment !== expected)
    throw new ReleaseFault('other_environment', `the receipt is of environment ${environment}, not of ${expected}`)
}

function said(file: string, kid: string, { environment, iat, engine, release }: ReceiptClaims): string[] {
  const own = thisEngine()
  const isSame = engine.digest === own.digest
  return [
    `${file}: the receipt is valid, signed by ${kid} of ${environment} at ${new Date(iat * 1000).toISOString()}`,
    `release ${release}`,
    `engine  ${engine.version} ${engine.digest}${isSame ? ', which is this one' : `; it has changed since: this one is ${own.version} ${own.digest}`}`,
  ]
}

/** The request and the answer, from one file or from two. */
function pricedIn(file: string, requestFile: string | undefined): Exchange {
  const content = jsonIn(file) as { request?: unknown; answer?: unknown } | null
  const [request, answer] =
    requestFile === undefined ? [content?.request, content?.answer] : [jsonIn(requestFile), content]
  if (!isReceipted(answer) || typeof request !== 'object' || request === null)
    throw new WrongCall(`${file}: expected {"request": …, "answer": …} of one quote, or an answer and --request`)
  return { request, answer }
}

function isReceipted(answer: unknown): answer is Receipted {
  const { metadata, quote } = (answer ?? {}) as { metadata?: unknown; quote?: { metadata?: unknown } }
  const found = metadata ?? quote?.metadata
  return typeof found === 'object' && found !== null
}

/** What has no canonical JSON (RFC 8785) was never signed. */
function unicode(name: string, value: unknown): unknown {
  for (const each of [name, value])
    if (typeof each === 'string' && !each.isWellFormed()) throw new Error(`${JSON.stringify(each)} is not Unicode`)
  if (value === Infinity || value === -Infinity) throw new Error(`the number ${JSON.stringify(name)} is too large`)
  return value
}

function jsonIn(file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8')
    const value: unknown = JSON.parse(text, unicode)
    // RFC 8259, 4: readers differ in what they make of a repeated name; the signature is of the last one.
    if (
      parseDocument(text, { uniqueKeys: true, logLevel: 'silent' }).errors.some(({ code }) => code === 'DUPLICATE_KEY')
    )
      throw new Error('an object has a name twice')
    return value
  } catch (error) {
    throw new WrongCall(`${file} is not readable as JSON: ${(error as Error).message}`)
  }
}
