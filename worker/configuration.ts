import { choice, port, readConfiguration, text } from '#runtime/configuration.ts'

/** Settings of the worker program, one environment variable each. */
export interface Configuration {
  natsUrl: string
  healthHost: string
  healthPort: number
  logLevel: string
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Reads the environment; throws one error that lists every fault. */
export function configure(env: NodeJS.ProcessEnv): Readonly<Configuration> {
  return readConfiguration<Configuration>(env, {
    natsUrl: text({ env: 'NATS_URL', default: 'nats://127.0.0.1:4222' }),
    healthHost: text({ env: 'HEALTH_HOST', default: '127.0.0.1' }),
    healthPort: port({ env: 'HEALTH_PORT', default: 8090 }),
    logLevel: choice({ env: 'LOG_LEVEL', values: LEVELS, default: 'info' }),
  })
}
