import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import type { KeyPurpose } from '#rates/published/signing-key-file.ts'
import { WrongCall, type Help } from './help.ts'
import { OUTPUT } from './options.ts'
import { oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'attestation-key --environment NAME --kid NAME [--out FILE] [--output text|json]',
    'attestation-key --emergency --kid NAME --out FILE',
  ],
  about:
    'Makes a key with which an environment attests its rate sets. Prints the Secret for the operator of that environment and the Helm values of both releases: the one that signs and the ones that trust it. The Secret contains the private key; with --out, the private key goes into a new file, and nothing secret is printed.',
  options: [
    ['--environment NAME', 'the only environment that the key may speak for: staging'],
    ['--emergency', 'an emergency key: a person keeps it, and no cluster has it'],
    ['--kid NAME', 'the id of the key in attestations; each key needs its own'],
    ['--out FILE', 'a new file for the private key; an existing file is not overwritten'],
    ['--output json', 'with --out: prints only the public key, as an entry of promotion.trustedKeys'],
  ],
  examples: [
    ['attestation-key --environment staging --kid staging-2026 --out key.json', 'a new key for staging, in a file'],
    ['attestation-key --environment staging --kid staging-2026', 'the same, as a Secret to encrypt or apply'],
  ],
}

export const options = {
  emergency: { type: 'boolean', default: false },
  environment: { type: 'string' },
  kid: { type: 'string' },
  out: { type: 'string', path: 'file' },
  output: OUTPUT,
} as const

/** The Secret that the values of staging name. */
const SECRET = 'attestation-key'

/** Creates a private key (RFC 8037, as a JWK); prints where to store it, and its public half. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { environment, kid, out, output, emergency } = parseArgs({ args, options }).values
  const isJson = oneOf('output', output, options.output.choices) === 'json'
  if (emergency) return breakGlass(kid, out, terminal)
  if (!environment || !kid || (isJson && !out))
    throw new WrongCall(`--environment${isJson ? ', --kid and --out' : ' and --kid'} are expected`)
  const { kty, crv, x, secret } = await newKey('attestation', kid, out)
  const trusted = JSON.stringify({ kty, crv, x, kid, environment })
  if (isJson) terminal.write(trusted)
  else for (const line of linesOf(environment, trusted, out ? fromFile(out) : inManifest(secret))) terminal.write(line)
  return 0
}

async function breakGlass(kid: string | undefined, out: string | undefined, terminal: Terminal): Promise<number> {
  if (!kid || !out) throw new WrongCall('--kid and --out are expected')
  const { kty, crv, x } = await newKey('emergency', kid, out)
  terminal.write('# values of a production release: put emergencyKeys beside the trustedKeys of its promotion')
  terminal.write(`promotion: { emergencyKeys: [${JSON.stringify({ kty, crv, x, kid })}] }`)
  return 0
}

/**
 * A new private key, in a new file when one is named. Its purpose is recorded in it, so that it cannot sign anything
 * else.
 */
async function newKey(purpose: KeyPurpose, kid: string, out: string | undefined) {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const { kty, crv, x, d } = await exportJWK(privateKey)
  const secret = JSON.stringify({ kty, crv, x, d, kid, purpose })
  if (out) writeFileSync(out, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return { kty, crv, x, secret }
}

/** YAML documents: the Secret, the values of the release that signs, and those of a release that trusts it. */
function linesOf(environment: string, trusted: string, secret: string[]): string[] {
  return [
    `# the Secret of ${environment}: apply it there and nowhere else`,
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
