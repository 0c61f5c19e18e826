import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createFolder } from '#explorer/follow-folder.ts'
import { oldSide } from '#explorer/differences.ts'
import { servedOf, type Old, type Served } from '#explorer/served.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { localDay } from './today.ts'
import { WrongCall, type Help } from './help.ts'
import { SETS } from './rate-files.ts'
import { compiled, readSide } from './sides.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['explore [DIR | git:REV | context:NAME] [--against SIDE] [--port N]'],
  about:
    'Shows rate sets in a browser: the price of a vehicle line by line, the curve over its price with every cliff, what changes when, and on what evidence each figure rests; with --against, also what differs between two sides. The page prices in the browser. Edits of a folder appear at once, with the faults of the files. Ctrl-C ends it.',
  options: [
    ['--against SIDE', 'the old side of a comparison: a folder, git:REV or context:NAME'],
    ['--port N', 'the port on 127.0.0.1 (8070); 0 chooses a free one'],
  ],
  examples: [
    ['explore', 'the rate sets of this working tree'],
    ['explore git:HEAD~1', 'the same before the last commit'],
    ['explore --against git:HEAD', 'uncommitted edits, beside what is committed'],
  ],
  exits: { done: 'ended', refused: 'the rate sets have faults and cannot be shown' },
}

export const options = {
  port: { type: 'string', default: '8070' },
  against: { type: 'string', path: 'folder' },
} as const

export const operands = { path: 'folder' } as const

/** Serves the page until the process is stopped, then returns 0; returns 1 when the rate sets cannot be compiled. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
  const [label = SETS, ...rest] = positionals
  if (rest.length > 0) throw new WrongCall('one side is expected: a folder, git:REV or context:NAME')
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new WrongCall(`--port takes 0 to 65535, not ${values.port}`)
  const oldOf = await againstSide(values.against)
  const folder = existsSync(label) ? createFolder(label, oldOf) : undefined
  const rates = folder?.read() ?? shown(label, compiled(await readSide(label)), oldOf)
  const [{ pageFiles }, { serveExplorer }] = await Promise.all([
    import('#explorer/page-files.ts'),
    import('#explorer/serve.ts'),
  ])
  const explorer = await serveExplorer(await pageFiles(), rates, port)
  terminal.write(`${explorer.url} shows ${label}; Ctrl-C ends it.`)
  const watching = folder?.follow(explorer.show)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  watching?.close()
  await explorer.stop()
  return 0
}

/** Compares a snapshot with the old side; undefined when nothing is compared. */
async function againstSide(label: string | undefined): Promise<(now: Snapshot) => Old | undefined> {
  if (label === undefined) return () => undefined
  const snapshot = compiled(await readSide(label))
  return (now) => oldSide({ label, snapshot }, now, localDay(new Date()))
}

function shown(label: string, snapshot: Snapshot, oldOf: (now: Snapshot) => Old | undefined): Served {
  const old = oldOf(snapshot)
  return servedOf(label, snapshot, { faults: [], outdated: false, ...(old && { old }) })
}
