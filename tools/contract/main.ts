import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startInventoryApi, startPricingApi, type RunningApi } from './api.ts'
import { ensureEnvironment } from './python.ts'

const HERE = import.meta.dirname
// The first is the budget for generated requests, the second a limit for machines on which the fixed cases alone take
// longer.
const BUDGET_SECONDS = 75
const DEADLINE_MS = 170_000
/** Folder for the JUnit report of each API; empty: none is written. */
const REPORTS = process.env['REPORTS']
/** Seed of the generated requests; empty: another one for each run. */
const SEED = process.env['CONTRACT_SEED']

const APIS: Record<string, (folder: string) => Promise<RunningApi>> = {
  pricing: startPricingApi,
  inventory: startInventoryApi,
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs schemathesis with every check against the running API. Returns its exit code, or 124 when it took too long. */
function check(bin: string, name: string, { url, token, folder }: RunningApi & { folder: string }): Promise<number> {
  const args = ['--config-file', join(HERE, 'schemathesis.toml'), 'run', `${url}/spec`]
  args.push('--header', `Authorization: Bearer ${token}`, '--checks', 'all', '--max-time', String(BUDGET_SECONDS))
  // The first report of changes compares every set; on a machine that is busy with other work it takes over ten seconds.
  args.push('--max-examples', '100', '--continue-on-failure', '--request-timeout', '60')
  args.push('--generation-database', 'none')
  if (SEED) args.push('--seed', SEED)
  if (REPORTS) args.push('--report', 'junit', '--report-junit-path', join(REPORTS, `contract.${name}.xml`))
  const env = { ...process.env, SCHEMATHESIS_HOOKS: join(HERE, 'hooks.py'), PYTHONDONTWRITEBYTECODE: '1' }
  return new Promise((resolve, reject) => {
    const child = spawn(join(bin, 'st'), args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] })
    const timer = setTimeout(() => child.kill(), DEADLINE_MS)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      resolve(code ?? 124)
    })
  })
}

/** Starts one API, checks it and stops it; returns the exit code of the check. */
async function hold(name: string, bin: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'driveaway-contract-'))
  let api: RunningApi | undefined
  try {
    say(`Starting the ${name} API ...`)
    api = await APIS[name]!(folder)
    say(`Checking it against its specification for about ${BUDGET_SECONDS} s ...`)
    const code = await check(bin, name, { ...api, folder })
    if (code === 124) say(`Stopped: it was not done after ${DEADLINE_MS / 1000} s.`)
    return code
  } finally {
    await api?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(APIS, name))
try {
  if (unknown.length > 0)
    throw new Error(`no such API: ${unknown.join(', ')}; there are ${Object.keys(APIS).join(', ')}`)
  const bin = ensureEnvironment(resolve('.cache'), say)
  for (const name of asked.length > 0 ? asked : Object.keys(APIS)) process.exitCode ||= await hold(name, bin)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
