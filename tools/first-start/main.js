// Run by `npm ci`: starts the explorer once, so that what a first start would parse and compile is kept before somebody
// waits for the page. Plain JavaScript, because the Node that installs may be an old one. An installation never fails here.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LONGEST_MS = 60_000

const explorer = spawn(process.execPath, ['cli/driveaway.js', 'explore', '--port', '0'], {
  cwd: join(fileURLToPath(import.meta.url), '../../..'),
  stdio: ['ignore', 'pipe', 'ignore'],
})
const timer = setTimeout(() => explorer.kill('SIGKILL'), LONGEST_MS)
explorer.once('error', () => {})
explorer.once('close', () => clearTimeout(timer))

// The address is printed once the rates are parsed and the page is built. Node keeps what it compiled when a program ends by itself.
explorer.stdout.once('data', async (line) => {
  const [address] = /http:\S+/.exec(line) ?? []
  await fetch(address).catch(() => {})
  explorer.kill('SIGTERM')
})
