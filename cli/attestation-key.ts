import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { WrongCall, type Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['attestation-key --environment NAME --kid NAME [--out FILE] [--output text|json]'],
  about:
    'Makes a key by which an environment attests what has proved itself in it. Prints the Secret for the operator there, and the lines for the values of both releases: of the one that signs, and of those that are to believe it. The Secret has the private key; with --out, that goes into a new file, and nothing secret is printed.',
  options: [
    ['--environment NAME', 'the only environment that the key may speak for: staging'],
    ['--kid NAME', 'what attestations call the key; each key has its own'],
    ['--out FILE', 'a new file for the private key; one that is there is not written over'],
    ['--output json', 'with --out: only the public key, as promotion.trustedKeys lists it'],
  ],
  examples: [
    ['attestation-key --environment staging --kid staging-2026 --out key.json', 'a new key of staging, in a file'],
    ['attestation-key --environment staging --kid staging-2026', 'the same, as a Secret to be encrypted or applied'],
  ],
}

export const options = {
  environment: { type: 'string' },
  kid: { type: 'string' },
  out: { type: 'string', path: 'file' },
  output: OUTPUT,
} as const

/** The Secret that the values of staging name. */
const SECRET = 'attestation-key'

/** Makes a private key (RFC 8037, as a JWK); prints where it belongs, and its public part. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { environment, kid, out, output } = parseArgs({ args, options }).values
  const isJson = oneOf('output', output, options.output.choices) === 'json'
  if (!environment || !kid || (isJson && !out))
    throw new WrongCall(`--environment${isJson ? ', --kid and --out' : ' and --kid'} are expected`)
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { kty, crv, x, d } = await exportJWK(privateKey)
  const secret = JSON.stringify({ kty, crv, x, d, kid })
  if (out) writeFileSync(out, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  const trusted = JSON.stringify({ kty, crv, x, kid, environment })
  if (isJson) terminal.write(trusted)
  else for (const line of linesOf(environment, trusted, out ? fromFile(out) : inManifest(secret))) terminal.write(line)
  return 0
}

/** YAML documents: the Secret, and the values of the release that signs and of one that believes it. */
function linesOf(environment: string, trusted: string, secret: string[]): string[] {
  return [
    `# the Secret of ${environment}: it belongs there and nowhere else`,
    ...secret,
    '---',
    `# values of the ${environment} release`,
    `attestation: { signing: { enabled: true, keySecretName: ${SECRET} } }`,
    '---',
    '# values of a production release',
    'promotion:',
    '  required: true',
    `  environments: [${JSON.stringify(environment)}]`,
    '  trustedKeys:',
    `    - ${trusted}`,
  ]
}

const fromFile = (file: string) => [
  `# kubectl create secret generic ${SECRET} --from-file=key.json=${file} --namespace driveaway`,
]

const inManifest = (secret: string) => [
  ...['apiVersion: v1', 'kind: Secret', `metadata: { name: ${SECRET}, namespace: driveaway }`, 'type: Opaque'],
  `stringData: { key.json: ${JSON.stringify(secret)} }`,
]
