import { parseArgs } from 'node:util'
import { writeReleaseKey } from '#rates/release/keys.ts'
import { WrongCall, type Help } from './help.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['release-key --environment NAME --kid NAME --out FILE'],
  about:
    'Makes a key with which an environment signs bundles of its releases and receipts of its quotes. The private key goes into a new file; the command prints the public key in the form in which programs list trusted keys, and nothing secret.',
  options: [
    ['--environment NAME', 'the only environment that the key speaks for: production'],
    ['--kid NAME', 'the name of the key in signatures; each key has its own'],
    ['--out FILE', 'a new file for the private key; an existing file is not overwritten'],
  ],
  examples: [
    ['release-key --environment production --kid release-2026 --out release-2026.json', 'a key of production'],
  ],
  exits: { done: 'the key was made', refused: 'never' },
}

export const options = {
  environment: { type: 'string' },
  kid: { type: 'string' },
  out: { type: 'string', path: 'file' },
} as const

/** Writes a new private key into a new file that only its owner can read, and prints the public key. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { environment, kid, out } = parseArgs({ args, options }).values
  if (!environment || !kid || !out) throw new WrongCall('--environment, --kid and --out are expected')
  terminal.write(JSON.stringify(await writeReleaseKey(out, kid, environment)))
  return 0
}
