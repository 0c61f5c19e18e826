import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { newKeyPair } from '#backup/files/sealed.ts'
import { WrongCall, type Help } from './help.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['backup-key --out FILE'],
  about:
    'Makes the key pair that backups are sealed with, as age-keygen does. The identity, which opens backups, goes into a new file: keep the file where a lost cluster cannot take it along. What is printed is the recipient, to which driveaway backup seals.',
  options: [['--out FILE', 'the new file; one that is there is not written over']],
  examples: [['backup-key --out identity.txt', 'once for an installation']],
}

export const options = { out: { type: 'string', path: 'file' } } as const

/** Writes a new identity and prints its recipient. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { out } = parseArgs({ args, options }).values
  if (!out) throw new WrongCall('--out says where the identity goes')
  const { identity, recipient } = await newKeyPair()
  writeFileSync(out, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' })
  terminal.write(recipient)
  return 0
}
