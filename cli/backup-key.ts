import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { newKeyPair } from '#backup/files/sealed.ts'
import { WrongCall, type Help } from './help.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['backup-key --out FILE'],
  about:
    'Makes the key pair that encrypts backups, as age-keygen does. The identity, which decrypts backups, goes into a new file: keep the file outside the cluster. The command prints the recipient, for driveaway backup --recipient.',
  options: [['--out FILE', 'the new file; an existing file is not overwritten']],
  examples: [['backup-key --out identity.txt', 'once per installation']],
}

export const options = { out: { type: 'string', path: 'file' } } as const

/** Writes a new identity and prints its recipient. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { out } = parseArgs({ args, options }).values
  if (!out) throw new WrongCall('--out is expected: the file for the identity')
  const { identity, recipient } = await newKeyPair()
  writeFileSync(out, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' })
  terminal.write(recipient)
  return 0
}
