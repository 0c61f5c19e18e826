import { readFileSync } from 'node:fs'
import { parseReleaseKeys } from '#rates/release/keys.ts'
import type { ReleaseKey } from '#rates/release/signed.ts'
import { WrongCall } from './help.ts'

/** The public release keys in a file. Throws WrongCall, which names the file and the invalid key. */
export function keysIn(file: string): ReleaseKey[] {
  const text = readFileSync(file, 'utf8')
  try {
    return parseReleaseKeys(text)
  } catch (fault) {
    throw new WrongCall(`${file}: ${(fault as Error).message}`)
  }
}
