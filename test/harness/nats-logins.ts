import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAccount, encodeOperator, encodeUser, fmtCreds } from '@nats-io/jwt'
import { nkeys } from '@nats-io/transport-node'
import { generate } from 'selfsigned'
import { temporaryDirectory } from './temporary-directory.ts'

/** A folder like a mounted Secret. */
export interface SecretFolder {
  path: string
  /** Replaces all files. */
  put(files: Record<string, string>): void
  remove(): void
}

export function secretFolder(files: Record<string, string> = {}): SecretFolder {
  const { path: parent, remove } = temporaryDirectory('nats-secret')
  const path = join(parent, 'secret')
  const put = (changed: Record<string, string>) => {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(changed)) writeFileSync(join(path, name), text)
  }
  put(files)
  return { path, put, remove }
}

/** The seed and the public key of a new user. */
export function newNkey(): { seed: string; publicKey: string } {
  const pair = nkeys.createUser()
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() }
}

export interface JwtOperator {
  /** Lines of a server's configuration: the server knows one account, with JetStream. */
  configuration: string
  /** A credentials file of a new user of that account; `seconds` until it expires. */
  credentials(seconds?: number): Promise<string>
}

/** A decentralised login: an operator who vouches for an account, which vouches for its users. */
export async function jwtOperator(): Promise<JwtOperator> {
  const [operator, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()]
  const jetStream = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const limits = { ...jetStream, conn: -1, subs: -1, data: -1, payload: -1, leaf: -1, imports: -1, exports: -1 }
  const signer = { signer: operator }
  const jwt = await encodeAccount('driveaway', account, { limits: { ...limits, wildcards: true } }, signer)
  const configuration = [
    `operator: ${await encodeOperator('test', operator)}`,
    // JetStream does not start without one.
    `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY',
    `resolver_preload: {`,
    `  ${account.getPublicKey()}: ${jwt}`,
    `  ${system.getPublicKey()}: ${await encodeAccount('SYS', system, {}, signer)}`,
    '}',
  ].join('\n')
  const credentials = async (seconds?: number) => {
    const user = nkeys.createUser()
    const until = seconds === undefined ? {} : { exp: Math.floor(Date.now() / 1000) + seconds }
    return new TextDecoder().decode(fmtCreds(await encodeUser('worker', user, account, {}, until), user))
  }
  return { configuration, credentials }
}

/** A certificate that is its own authority, for host names and IP addresses, and its key, in PEM. */
export async function certificateFor(commonName: string, ...hosts: string[]): Promise<{ cert: string; key: string }> {
  const altNames = hosts.map((host) =>
    /^[\d.]+$/.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host },
  )
  const { cert, private: key } = await generate([{ name: 'commonName', value: commonName }], {
    keySize: 2048,
    extensions: [
      { name: 'basicConstraints', cA: true },
      ...(altNames.length > 0 ? [{ name: 'subjectAltName' as const, altNames }] : []),
    ],
  })
  return { cert, key }
}
