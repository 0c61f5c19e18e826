import { spawn, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverNames } from '../../tools/binaries/catalog.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { freePort, isPortFree } from '../harness/free-port.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'
import { waitFor } from '../harness/wait-for.ts'
import { addingAClient } from './adding-a-client.ts'
import { follow, type Step } from './follow.ts'
import { startShell, terminalEnvironment, type Shell } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const folder = temporaryDirectory('newcomer')
const clone = join(folder.path, 'driveaway')
const assets = join(folder.path, 'binaries')
const ports = { PRICING_PORT: await freePort(), INVENTORY_PORT: await freePort(), HEALTH_PORT: await freePort() }

let env: NodeJS.ProcessEnv
let shell: Shell
beforeAll(async () => {
  execFileSync('git', ['clone', '--quiet', root, clone])
  // Nothing in this clone installs, which takes minutes beside other tests: make finds what is linked to newer than the lock file.
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  for (const name of ['package.json', 'package-lock.json']) utimesSync(join(clone, name), 0, 0)
  mkdirSync(assets)
  // What this checkout has found or built, so that nothing is compiled: the clone's own cache begins empty.
  for (const name of serverNames) symlinkSync(await ensureBinary(name), join(assets, name))
  const chosen = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]))
  env = terminalEnvironment({ KUBEBUILDER_ASSETS: assets, ...chosen })
  shell = startShell(clone, env)
})
afterAll(async () => {
  // Not by the shell, which may hang in the command that failed.
  if (existsSync(join(clone, '.run/stack.json'))) execFileSync('make', ['down'], { cwd: clone, env, stdio: 'pipe' })
  await shell?.close()
  folder.remove()
}, 120_000)

/** Nothing of a stack is left: no addresses, no record of processes, no port that is taken. */
async function expectNothingLeft(): Promise<void> {
  for (const file of ['env', 'stack.json']) expect(existsSync(join(clone, '.run', file)), file).toBe(false)
  for (const port of Object.values(ports)) expect(await isPortFree(port)).toBe(true)
}

/** Runs a command in the foreground of a terminal of its own, and presses Ctrl-C after its first quote. */
async function interrupted(command: string): Promise<string> {
  const child = spawn('bash', ['-c', command], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const gone = new AbortController()
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve(gone.abort())))
  try {
    await waitFor('a first quote', () => /logs in \.run\/logs\n/.test(output), {
      ...{ timeoutMs: 240_000, signal: gone.signal },
    })
  } catch (error) {
    throw new Error(`${command}\n${output}`, { cause: error })
  } finally {
    // A terminal sends it to all of the foreground: make, and what make started.
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
    await ended
  }
  return output
}

/** A quote as the README prints it: its totals, and its lines by id of the rule. */
function quoteIn(output: string) {
  const [totals, ...lines] = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { totals, lines: Object.fromEntries(lines) as Record<string, number> }
}

let asked = { command: '', answer: '' }

const inRow = (table: string, name: string) => table.split('\n').find((line) => line.startsWith(`${name} `))

const readme: Step[] = [
  {
    begins: 'make run',
    by: interrupted,
    shows: async (output) => {
      expect(output).toMatch(/Drive-away price +\$[\d,.]+ +rates of \d{4}-\d{4}/)
      expect(output).toContain('etcd stopped')
      await expectNothingLeft()
    },
  },
  { begins: 'make up', shows: (output) => expect(output).toMatch(/Drive-away price[^]*\nUp\. /) },
  { begins: '. .run/env' },
  { begins: 'TOKEN=$(curl ' },
  { begins: 'curl -s "$PRICING_URL/v1/quote"', shows: (answer, command) => (asked = { command, answer }) },
  ...['alias kubectl=', 'ask() {', "jq '.options.receipt", 'ask .run/request.json |'].map((begins) => ({ begins })),
  { begins: 'curl -s "$PRICING_URL/.well-known/release-keys"' },
  {
    begins: './driveaway verify ',
    shows: (output) => expect(output).toContain('valid, signed by development of development'),
  },
  ...['before=', 'perl ', 'kubectl apply ', 'while '].map((begins) => ({ begins })),
  { begins: 'jq --arg at ' },
  {
    begins: 'ask docs/examples/quote.json',
    shows: async () => {
      const [before, after] = [quoteIn(asked.answer), quoteIn(await shell.run(asked.command))]
      expect(after.totals.driveAway).toBe(before.totals.driveAway + 100)
      expect(after.lines).toEqual({ ...before.lines, AU_VIC_PLATES_FY27: 4520 })
    },
  },
  { begins: 'curl -s "$PRICING_URL/v1/releases/$release"' },
  { begins: 'PATH=node_modules/.bin:$PATH node ' },
]

const inventory: Step[] = [
  { begins: '. .run/env' },
  { begins: 'TOKEN=$(curl ' },
  { begins: 'JOB=$(curl ' },
  {
    begins: 'curl -s "$INVENTORY_URL/jobs/$JOB"',
    // A person asks until it is completed.
    by: (command) =>
      waitFor('the job to be completed', async () => {
        const answer = await shell.run(command)
        return (JSON.parse(answer) as { status: string }).status === 'completed' && answer
      }),
  },
  { begins: './driveaway vehicles --client uploader ', shows: (output) => expect(output).toMatch(/^NS-1 .* job /) },
  {
    begins: './driveaway vehicles --client uploader NS-1 --output json',
    shows: (output) =>
      expect(JSON.parse(output)).toMatchObject([{ source_id: 'NS-1', item: { vehicle: { make: 'Kia' } } }]),
  },
  {
    begins: './driveaway vehicles delete --client uploader NS-1',
    shows: (output) => expect(output).toBe('NS-1 deleted\n'),
  },
  { begins: './driveaway dead-letters list', shows: (output) => expect(output).toBe('') },
  { begins: './driveaway dead-letters replay --all', shows: (output) => expect(output).toBe('') },
]

const again: Step[] = [
  { begins: 'make up', shows: (output) => expect(output).toMatch(/^Up already/) },
  { begins: '. .run/env' },
  { begins: 'alias kubectl=' },
  { begins: 'kubectl get ratesets', shows: (table) => expect(inRow(table, 'au-vic-fy27')).toMatch(/True +True/) },
  { begins: 'TOKEN=$(curl ' },
  {
    begins: 'curl -s "$PRICING_URL/v1/rules',
    shows: (answer) => {
      const { rules } = JSON.parse(answer) as { rules: { id: string }[] }
      expect(rules.map(({ id }) => id)).toContain('AU_VIC_STAMP_DUTY_FY27')
    },
  },
  {
    begins: 'make down',
    shows: async (output) => {
      expect(output).toContain('Down.')
      await expectNothingLeft()
    },
  },
]

// One test, because each page goes on with the stack that the one before left up: the README makes it, the last takes it down.
test(
  'the README takes a fresh clone to a quote that lasts beyond a corrected figure, and other pages go on from there',
  {
    timeout: 1_150_000,
  },
  async () => {
    await follow({ page: 'README.md', shell, steps: readme })
    await follow({ page: 'docs/inventory.md', shell, steps: inventory })
    await follow({ page: 'docs/clients.md', shell, steps: addingAClient(shell, clone) })
    await follow({ page: 'docs/running.md', shell, steps: again })
  },
)
