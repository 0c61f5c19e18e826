import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ExplorerRates } from '#explorer/served.ts'
import { root } from '../../tools/stack/settings.ts'

/** What `driveaway explore` with these arguments gives to its page; the command is ended afterwards. */
export async function explored(args: readonly string[], cwd = root): Promise<ExplorerRates> {
  const command = [join(root, 'cli/main.ts'), 'explore', ...args, '--port', '0']
  const explorer = spawn(process.execPath, command, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await Promise.race([once(explorer.stdout, 'data'), once(explorer, 'exit')])
    const [, url] = /^(http:\S+) shows /.exec(String(line)) ?? []
    if (url === undefined) throw new Error(`it says no address, but ended with ${line}`)
    return (await (await fetch(`${url}rates.json`)).json()) as ExplorerRates
  } finally {
    const isRunning = explorer.exitCode === null
    explorer.kill()
    if (isRunning) await once(explorer, 'exit')
  }
}
