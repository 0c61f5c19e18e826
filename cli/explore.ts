import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import type { FirstLook, SideFiles } from '#explorer/first-look.ts'
import type { ExplorerRates } from '#explorer/served.ts'
import { ReleaseFault } from '#rates/release/signed.ts'
import { CannotPrice } from './faults.ts'
import { WrongCall, type Help } from './help.ts'
import { SETS } from './rate-folders.ts'
import { checkSide, sideFiles } from './side-files.ts'
import type { Terminal } from './terminal.ts'
import { localDay } from './today.ts'

export const help: Help = {
  usage: ['explore [DIR | git:REV | context:NAME | BUNDLE] [--against SIDE] [--keys FILE] [--port N]'],
  about:
    'Shows rate sets in a browser: the price of a vehicle line by line, the curve over its price with every cliff, what changes when, and on what evidence each figure rests; with --against, also what differs between two sides. The page prices in the browser. Edits of a folder appear at once, with the faults of the files. Ctrl-C ends it.',
  options: [
    ['--against SIDE', 'the old side of a comparison: a folder, git:REV, context:NAME or a bundle'],
    ['--keys FILE', 'with a bundle, the public keys that are trusted: a JSON list, as for bundle --verify'],
    ['--port N', 'the port on 127.0.0.1 (8070); 0 chooses a free one'],
  ],
  examples: [
    ['explore', 'the rate sets of this working tree'],
    ['explore git:HEAD~1', 'the same before the last commit'],
    ['explore rates.bundle --keys keys.json', 'the rates of a bundle that a trusted key signed'],
    ['explore --against git:HEAD', 'uncommitted edits, beside what is committed'],
  ],
  exits: { done: 'ended', refused: 'the rate sets have faults and cannot be shown, or the bundle is refused' },
}

export const options = {
  port: { type: 'string', default: '8070' },
  against: { type: 'string', path: 'folder' },
  keys: { type: 'string', path: 'file' },
} as const

export const operands = { path: 'folder' } as const

/** Serves the page until the process is stopped, then returns 0; returns 1 when a bundle is refused. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const [label = SETS, ...rest] = positionals
  if (rest.length > 0) throw new WrongCall('one side is expected: a folder, git:REV, context:NAME or a bundle')
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new WrongCall(`--port takes 0 to 65535, not ${values.port}`)
  try {
    for (const side of [label, values.against]) if (side !== undefined) checkSide(side, values.keys)
    await show(label, { ...values, port }, terminal)
    return 0
  } catch (fault) {
    if (!(fault instanceof ReleaseFault || fault instanceof CannotPrice)) throw fault
    terminal.note(fault.message)
    return 1
  }
}

interface Settings {
  port: number
  against?: string | undefined
  keys?: string | undefined
}

/** To load the parser and the checks takes a second of a processor: the first page comes before them. */
const LOAD_AFTER_MS = 1_000

async function show(label: string, { port, ...sides }: Settings, terminal: Terminal): Promise<void> {
  const [{ pageFiles }, { serveExplorer }] = await Promise.all([
    import('#explorer/page-files.ts'),
    import('#explorer/serve.ts'),
  ])
  // The bundler is a process of its own: it works while the rates are read.
  const page = pageFiles()
  // Told where the page is served; until then a cluster may be asked.
  page.catch(() => undefined)
  const serve = async (rates: ExplorerRates) => {
    const explorer = await serveExplorer(await page, rates, port)
    terminal.write(`${explorer.url} shows ${label}; Ctrl-C ends it.`)
    return explorer
  }
  const { first, ...read } = await lookFirst(label, sides.against)
  let explorer = first && (await serve(first.rates))
  try {
    if (first && !first.rates.unchecked) return await untilStopped()
    if (explorer) await Promise.race([explorer.looked, sleep(LOAD_AFTER_MS)])
    const { readShown } = await import('./shown-side.ts')
    const { rates, follow } = await readShown(label, sides, { ...read, shownBefore: first?.snapshot })
    // Nearly always the same; an open page would read all of it again.
    if (!isDeepStrictEqual(rates, first?.rates)) explorer?.show(rates)
    explorer ??= await serve(rates)
    await untilStopped(follow(explorer.show))
  } finally {
    await explorer?.stop()
  }
}

interface Looked {
  side: SideFiles | undefined
  old: SideFiles | undefined
  /** What can be shown before the parser is loaded, if anything. */
  first?: FirstLook | undefined
}

async function lookFirst(label: string, against: string | undefined): Promise<Looked> {
  const [side, old] = await bothSides(label, against)
  if (!side || (against !== undefined && !old)) return { side, old }
  const { firstLook } = await import('#explorer/first-look.ts')
  return { side, old, first: await firstLook(side, localDay(new Date()), { against: old }) }
}

/** Asks no cluster any more once one side cannot be read: the request would keep the process alive. */
async function bothSides(label: string, against: string | undefined) {
  const ending = new AbortController()
  const read = (side: string) => sideFiles(side, ending.signal)
  try {
    return await Promise.all([read(label), against === undefined ? undefined : read(against)])
  } catch (error) {
    ending.abort()
    throw error
  }
}

/** Resolves once somebody ends the command; nothing is followed any more then. */
async function untilStopped(following?: { close: () => void }): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  following?.close()
}
