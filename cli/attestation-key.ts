import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { WrongCall, type Help } from './help.ts'
import { oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['attestation-key --environment NAME --kid NAME --out FILE'],
  about:
    'Makes a key by which an environment attests what has proved itself in it. The private key goes into a new file, for the Secret that the operator there reads; what is printed is its public part, for promotion.trustedKeys of the environments that are to believe it.',
  options: [
    ['--environment NAME', 'the only environment that the key may speak for: staging'],
    ['--kid NAME', 'what attestations call the key; each key has its own'],
    ['--out FILE', 'the new file; one that is there is not written over'],
  ],
  examples: [['attestation-key --environment staging --kid staging-2026 --out key.json', 'a new key of staging']],
}

const options = {
  environment: { type: 'string' },
  kid: { type: 'string' },
  out: { type: 'string' },
  output: { type: 'string', default: 'json' },
} as const

/** Writes a new private key (RFC 8037, as a JWK) and prints its public part. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { environment, kid, out, output } = parseArgs({ args, options }).values
  // JSON is what the values of the chart take, so there is no other text.
  oneOf('output', output, ['json', 'text'])
  if (!environment || !kid || !out) throw new WrongCall('--environment, --kid and --out are expected')
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { kty, crv, x, d } = await exportJWK(privateKey)
  writeFileSync(out, `${JSON.stringify({ kty, crv, x, d, kid })}\n`, { mode: 0o600, flag: 'wx' })
  terminal.write(JSON.stringify({ kty, crv, x, kid, environment }))
  return 0
}
