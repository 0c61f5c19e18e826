import { storageVariables, type StorageConfiguration } from '#inventory/storage-settings.ts'
import {
  choice,
  ConfigurationError,
  integer,
  list,
  port,
  readConfiguration,
  seconds,
  text,
  type Setting,
} from '#runtime/configuration.ts'
import { natsVariables, type NatsConfiguration } from '#runtime/nats/settings.ts'
import { tracingVariables, type TracingConfiguration } from '#runtime/tracing/settings.ts'
import { mailFaults, mailVariables, type MailConfiguration } from './mail/settings.ts'
import type { ModerationSettings } from './moderation/start-moderation.ts'
import { parseNetwork, type Network } from './moderation/images/address-policy.ts'

/** Settings of the worker program, one environment variable each. */
export interface Configuration
  extends StorageConfiguration, NatsConfiguration, TracingConfiguration, ModerationSettings, MailConfiguration {
  /** Batches in progress at once. */
  batchesAtOnce: number
  /** Of these, batches of one client while others wait too. */
  batchesOfOneClient: number
  /** Seconds that a stop waits for work in progress. */
  graceSeconds: number
  healthHost: string
  healthPort: number
  logLevel: string
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Reads the environment; throws one error that lists every fault. */
export function configure(env: NodeJS.ProcessEnv): Readonly<Configuration> {
  const configuration = readConfiguration<Configuration>(env, {
    ...storageVariables,
    ...mailVariables,
    ...natsVariables,
    ...tracingVariables,
    batchesAtOnce: integer({ env: 'BATCHES_AT_ONCE', default: 32, min: 1, max: 1_000 }),
    batchesOfOneClient: integer({ env: 'BATCHES_OF_ONE_CLIENT', default: 4, min: 1, max: 1_000 }),
    imageAllowedAddresses: networks(list({ env: 'IMAGE_ALLOWED_ADDRESSES', default: [] })),
    imagesAtOnce: integer({ env: 'IMAGES_AT_ONCE', default: 24, min: 1, max: 1_000 }),
    imagesOfOneClient: integer({ env: 'IMAGES_OF_ONE_CLIENT', default: 6, min: 1, max: 1_000 }),
    graceSeconds: seconds({ env: 'GRACE_SECONDS', default: 20, max: 3_600 }),
    healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
    healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
    logLevel: choice({ env: 'LOG_LEVEL', values: LEVELS, default: 'info' }),
  })
  const faults = mailFaults(configuration)
  if (faults.length > 0) throw new ConfigurationError(faults)
  return configuration
}

function networks({ env, fallback, parse }: Setting<readonly string[]>): Setting<readonly Network[]> {
  const all = (texts: readonly string[] | undefined): readonly Network[] | undefined => {
    const found = texts?.map(parseNetwork).filter((network) => network !== undefined)
    return found?.length === texts?.length ? found : undefined
  }
  const expected = 'addresses or networks (127.0.0.1, fd00::/8) separated by commas'
  return { env, expected, fallback: all(fallback), parse: (value) => all(parse(value)) }
}
