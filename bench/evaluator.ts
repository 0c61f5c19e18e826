import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { quote } from '#rates/engine/quote/quote.ts'
import { compileRateSets, namedSpecs } from '#rates/files/compile.ts'
import { readRateSets } from '#rates/files/read.ts'
import { thisEngine } from '#rates/release/engine-digest.ts'
import { signReceipt, withReceipt } from '#rates/release/receipt.ts'
import { contentOf } from '#rates/release/bundle-content.ts'
import { builtEvaluator } from '../test/evaluator/built.ts'
import { startChromium } from '../test/harness/chromium.ts'
import { temporaryDirectory } from '../test/harness/temporary-directory.ts'
import { bundleOf, newReleaseKey, SIGNED_AT } from '../test/rates/release/signed-bundle.ts'
import { ratioOf, type Section } from './report.ts'
import { measured } from './requests.ts'
import { timeInTurns, type Contender } from './rounds.ts'

const FILES = ['rates/sets/au/fy27.yaml', 'rates/sets/au-vic/fy27.yaml']
/** Quotes for each call of the page, so that the call itself does not count. */
const IN_PAGE = 2_000
const QUOTE = 'a quote by the engine of the API'

const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
import { openBundle } from '/index.js'
const [keys, request] = JSON.parse(decodeURIComponent(location.hash.slice(1)))
const evaluator = await openBundle(await (await fetch('/bundle')).arrayBuffer(), keys)
globalThis.cents = () => evaluator.quote(request).totals.driveAway
globalThis.quotes = (count) => { for (let at = 0; at < count; at++) evaluator.quote(request) }
</script>`

/** A quote of the package in Node and in Chromium, and a receipt, beside a quote by the engine of the API. */
export async function evaluatorAndReceipt(): Promise<Section> {
  const folder = temporaryDirectory('bench-evaluator')
  const { signs, published } = await newReleaseKey()
  const bundle = await bundleOf(signs, {}, contentOf(namedSpecs(readRateSets(FILES))))
  const { lib, module } = await builtEvaluator(folder.path)
  const evaluator = await module.openBundle(bundle, [published])
  const page = await openPage(lib, bundle, [[published], measured])
  try {
    if ((await page.cents()) !== evaluator.quote(measured).totals.driveAway)
      throw new Error('other cents in the browser')
    const times = await timeInTurns([
      ...beside(signs),
      { name: 'a quote of the package, in Node', run: () => evaluator.quote(measured) },
      { name: 'a quote of the package, in Chromium', run: () => page.quotes(IN_PAGE), each: IN_PAGE },
    ])
    return sectionOf(times)
  } finally {
    await page.close()
    folder.remove()
  }
}

function beside(signs: Parameters<typeof signReceipt>[2]): Contender[] {
  const snapshot = compileRateSets(readRateSets(FILES))
  const said = { environment: 'staging', iat: SIGNED_AT, engine: thisEngine(), release: snapshot.release }
  const receipted = async () => {
    const answer = quote(measured, snapshot)
    return withReceipt(answer, await signReceipt({ request: measured, answer }, said, signs))
  }
  return [
    { name: QUOTE, run: () => quote(measured, snapshot) },
    { name: 'the same with a receipt', run: receipted },
  ]
}

/** The page of a browser that has opened the bundle. */
async function openPage(lib: string, bundle: Uint8Array, shown: unknown) {
  const server = createServer(({ url = '/' }, response) => {
    const type = url.endsWith('.js') ? 'text/javascript' : url === '/' ? 'text/html' : 'application/gzip'
    response.setHeader('content-type', type)
    response.end(url === '/' ? PAGE : url === '/bundle' ? bundle : readFileSync(join(lib, url.slice(1))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await startChromium()
  const page = await browser.newPage()
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/#${encodeURIComponent(JSON.stringify(shown))}`)
  await page.waitForFunction('globalThis.quotes')
  return {
    cents: () => page.evaluate<number>('globalThis.cents()'),
    quotes: (count: number) => page.evaluate<void>(`globalThis.quotes(${count})`),
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}

function sectionOf(times: ReadonlyMap<string, number>): Section {
  const ours = times.get(QUOTE) ?? NaN
  const figures = [...times].map(([what, us]) => {
    const rest = { comparedWith: QUOTE, target: '', met: null }
    return { what, measured: `${us.toFixed(1)} µs`, ratio: ratioOf(us, ours), ...rest }
  })
  const how =
    'The Victorian quote of the first section: by the engine as the API runs it, with a receipt (the digests of request and answer, ' +
    'and the signature), and by the package `@driveaway/evaluator` from a signed bundle, in this Node and in Chromium.'
  return { title: 'A receipt, and the evaluator', how, figures }
}
