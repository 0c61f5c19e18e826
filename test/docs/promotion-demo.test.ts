import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverNames } from '../../tools/binaries/catalog.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { looksLike } from './page.ts'
import { terminalEnvironment } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/promotion.md'), 'utf8')
const folder = temporaryDirectory('promotion-demo')

beforeAll(async () => {
  for (const name of serverNames) await ensureBinary(name)
})
afterAll(() => folder.remove())

/** The TMPDIR of one demonstration, below which it keeps everything that it writes. */
function newScratch(name: string): string {
  const scratch = join(folder.path, name)
  mkdirSync(scratch)
  return scratch
}

interface Ran {
  code: number | null
  output: string
  errors: string
}

/** Runs a command as a terminal does; with `interruptAt`, Ctrl-C is pressed once the output has this text. */
async function typed(command: string, scratch: string, interruptAt?: string): Promise<Ran> {
  const env = terminalEnvironment({ TMPDIR: scratch })
  const child = spawn('bash', ['-c', command], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ran: Ran = { code: null, output: '', errors: '' }
  let isInterrupted = false
  child.stderr.on('data', (chunk: Buffer) => (ran.errors += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    ran.output += chunk.toString()
    if (isInterrupted || interruptAt === undefined || !ran.output.includes(interruptAt)) return
    isInterrupted = true
    // A terminal sends it to all of the foreground: make, and what make started.
    process.kill(-child.pid!, 'SIGINT')
  })
  ran.code = await new Promise((resolve) => child.once('close', resolve))
  return ran
}

/** Processes whose command line names the folder: servers are given their data there. */
function processesIn(scratch: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ')
      return command.includes(scratch) ? [command] : []
    } catch {
      // The process has ended since it was listed.
      return []
    }
  })
}

function expectNothingLeft(scratch: string): void {
  expect(readdirSync(scratch)).toEqual([])
  expect(processesIn(scratch)).toEqual([])
}

// Side by side: each demonstration has servers, ports and a folder of its own, and mostly waits.
test.concurrent(
  'the command of the page takes a figure through both regions, prints what the page shows, and leaves nothing',
  { timeout: 400_000 },
  async () => {
    const shown = /run `(make demo-promotion)`[^]*?```text\n([^]*?)```/.exec(page)
    const scratch = newScratch('walk')
    const { code, output, errors } = await typed(shown?.[1] ?? 'false', scratch)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(looksLike(output, shown?.[2] ?? ''), output).toBe(true)
    expectNothingLeft(scratch)
  },
)

test.concurrent(
  'Ctrl-C while production starts stops both regions, and leaves nothing',
  { timeout: 200_000 },
  async () => {
    const scratch = newScratch('interrupted')
    const { output, errors } = await typed('make demo-promotion STAY=1', scratch, 'staging publishes every rate set')
    expect(output).not.toContain('Both publish')
    expect(errors).not.toMatch(/Waited|kubectl/)
    expectNothingLeft(scratch)
  },
)
