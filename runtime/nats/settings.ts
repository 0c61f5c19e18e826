import { choice, text, type Setting } from '../configuration.ts'
import { TLS_USES, type NatsAccess, type TlsUse } from './access.ts'
import { readAddresses } from './addresses.ts'

/** The environment variables for connecting to NATS, the same for every program. */
export const natsVariables = {
  natsUrl: addresses(text({ env: 'NATS_URL', default: 'nats://127.0.0.1:4222' })),
  natsSecretDirectory: text({ env: 'NATS_SECRET_DIRECTORY', default: '' }),
  natsTls: choice({ env: 'NATS_TLS', values: TLS_USES, default: 'offered' }),
}

/** The values of `natsVariables`. */
export interface NatsConfiguration {
  /** Addresses of NATS servers, separated by commas. */
  natsUrl: string
  /** A folder with a login, certificates or both; empty: none. */
  natsSecretDirectory: string
  natsTls: TlsUse
}

export function natsAccess(configuration: NatsConfiguration): NatsAccess {
  const { natsUrl: url, natsSecretDirectory: secretDirectory, natsTls: tls } = configuration
  return { url, secretDirectory, tls }
}

function addresses(setting: Setting<string>): Setting<string> {
  const parse = (url: string): string | undefined => {
    try {
      readAddresses(url)
      return url
    } catch {
      return undefined
    }
  }
  // An address may contain a password, so errors do not quote it.
  return {
    ...setting,
    parse,
    isSecret: true,
    expected: 'nats://host:port or tls://host:port, with commas between several',
  }
}
