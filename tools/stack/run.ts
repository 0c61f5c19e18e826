import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeReleaseKey } from '#rates/release/keys.ts'
import { addresses, clientCredentials, writeEnvironmentFile } from './addresses.ts'
import { applyContent } from './content.ts'
import { newCrew, type Crew } from './crew.ts'
import { firstQuote } from './first-quote.ts'
import { freePort, isPortFree } from './free-port.ts'
import { apiVariables, launchProgram, pricingVariables, programs, workerVariables, type Program } from './programs.ts'
import { endLeftovers, livePid, readRecord, removeRecord } from './record.ts'
import { startServers, type Servers } from './servers.ts'
import { logDirectory, portVariables, releaseKeyPath, root, runDirectory, type Ports } from './settings.ts'
import { showQuote } from './show-quote.ts'

export const recordPath = join(runDirectory, 'stack.json')
export const environmentPath = join(runDirectory, 'env')

export type Say = (line: string) => void

/** The process id of the stack that runs from this checkout, if any. */
export function runningStack(): number | undefined {
  const record = readRecord(recordPath)
  return record && livePid(record.supervisor)
}

/** Removes what a crashed stack left, and throws if a port is in use. */
export async function prepare(ports: Ports, say: Say): Promise<void> {
  await recover(say)
  for (const [name, port] of Object.entries(ports) as [keyof Ports, number][]) {
    if (await isPortFree(port)) continue
    throw new Error(`Port ${port} is in use by another program. Choose another one with ${portVariables[name]}=…`)
  }
  mkdirSync(logDirectory, { recursive: true })
}

/** Ends the processes of a crashed stack, if any, and deletes its record. */
export async function recover(say: Say): Promise<void> {
  const record = readRecord(recordPath)
  if (!record) return
  const names = await endLeftovers(record)
  if (names.length > 0) say(`stopped what an earlier run left behind: ${names.join(', ')}`)
  forget()
}

function forget() {
  rmSync(environmentPath, { force: true })
  removeRecord(recordPath)
}

/** A stack that can be started and stopped; `stop` may be called at any time after this returns. */
export function newStack(say: Say): { crew: Crew; stop(): Promise<void> } {
  const crew = newCrew(recordPath, say)
  const stop = async () => {
    await crew.stopAll()
    forget()
  }
  return { crew, stop }
}

/** Starts everything in order and shows a first quote. */
export async function startStack(crew: Crew, ports: Ports, say: Say): Promise<void> {
  const servers = await startServers(crew, say)
  await applyContent(servers.kubectl, root, say)
  await startPrograms(crew, await plan(servers, ports), say)
  const variables = addresses(ports, servers.kubectl.kubeconfig, servers.natsUrl)
  Object.assign(variables, await clientCredentials(servers.kubeConfig))
  writeEnvironmentFile(environmentPath, variables)
  const shown = showQuote(await firstQuote(variables, melbourneToday()))
  say(`\nA quote for a new SUV in Melbourne, from ${variables['PRICING_URL']}/v1/quote:\n\n${shown}\n`)
  say(listAddresses(variables))
  crew.markReady()
}

async function plan(servers: Servers, ports: Ports): Promise<Program[]> {
  const healthPorts = { operator: await freePort(), inventory: await freePort(), worker: await freePort() }
  const logLevel = process.env['LOG_LEVEL'] ?? 'info'
  const environmentOf = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
  const settings = {
    apiSettings: environmentOf(apiVariables),
    pricingSettings: environmentOf(pricingVariables),
    workerSettings: environmentOf(workerVariables),
  }
  const { kubeconfigs, natsUrl } = servers
  const releaseKeyFile = await ownReleaseKey()
  return programs({ ports, healthPorts, kubeconfigs, natsUrl, logLevel, releaseKeyFile, ...settings })
}

/** The file of the stack's release key, made when there is none; RELEASE_KEY_FILE names another. */
async function ownReleaseKey(): Promise<string> {
  const { RELEASE_KEY_FILE: chosen } = process.env
  if (chosen) return chosen
  if (!existsSync(releaseKeyPath)) await writeReleaseKey(releaseKeyPath, 'development', 'development')
  return releaseKeyPath
}

async function startPrograms(crew: Crew, list: readonly Program[], say: Say) {
  // Started together because they wait for one another: a key signs only once the API has it, and the API is ready
  // only once the operator has published.
  await Promise.all(
    list.map(async (program) => {
      await crew.start(program.name, (signal) => launchProgram(program, { root, logDirectory, signal }))
      say(`${program.name} ready`)
    }),
  )
}

function melbourneToday(): string {
  return new Date().toLocaleDateString('en-CA', { timeZone: 'Australia/Melbourne' })
}

function listAddresses(variables: Record<string, string>): string {
  const shown = Object.entries(variables).filter(([name]) => name.endsWith('_URL') || name === 'KUBECONFIG')
  const lines = shown.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)
  return [...lines, '  all of it, with the demo clients, in .run/env; logs in .run/logs'].join('\n')
}
