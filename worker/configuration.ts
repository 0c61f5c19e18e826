import { storageVariables, type StorageConfiguration } from '#inventory/storage-settings.ts'
import { choice, integer, port, readConfiguration, seconds, text } from '#runtime/configuration.ts'

/** Settings of the worker program, one environment variable each. */
export interface Configuration extends StorageConfiguration {
  natsUrl: string
  /** Batches worked on at once. */
  batchesAtOnce: number
  /** Of these, of one client. */
  batchesOfOneClient: number
  /** How long a stop waits for what is being worked on. */
  graceSeconds: number
  healthHost: string
  healthPort: number
  logLevel: string
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Reads the environment; throws one error that lists every fault. */
export function configure(env: NodeJS.ProcessEnv): Readonly<Configuration> {
  return readConfiguration<Configuration>(env, {
    ...storageVariables,
    natsUrl: text({ env: 'NATS_URL', default: 'nats://127.0.0.1:4222' }),
    batchesAtOnce: integer({ env: 'BATCHES_AT_ONCE', default: 32, min: 1, max: 1_000 }),
    batchesOfOneClient: integer({ env: 'BATCHES_OF_ONE_CLIENT', default: 4, min: 1, max: 1_000 }),
    graceSeconds: seconds({ env: 'GRACE_SECONDS', default: 20, max: 3_600 }),
    healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
    healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
    logLevel: choice({ env: 'LOG_LEVEL', values: LEVELS, default: 'info' }),
  })
}
