import type { NatsConnection } from '@nats-io/transport-node'
import { ConfigurationError, readConfiguration } from '#runtime/configuration.ts'
import { connectFault, connectNats as connect } from '#runtime/nats/access.ts'
import { readAddresses } from '#runtime/nats/addresses.ts'
import { natsAccess, natsVariables, type NatsConfiguration } from '#runtime/nats/settings.ts'
import { ServerFault } from './faults.ts'

/**
 * Connects to the NATS server of `--nats`, of NATS_URL, or on this machine, with the login in NATS_SECRET_DIRECTORY or
 * in the address. Throws ServerFault, which lists the addresses that were tried.
 */
export async function connectNats(asked: string | undefined, name: string): Promise<NatsConnection> {
  const access = natsAccess(readConfiguration<NatsConfiguration>(process.env, natsVariables))
  if (asked !== undefined) access.url = asked
  const { shown } = readAddresses(access.url)
  try {
    return await connect(access, { name })
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ServerFault(`NATS at ${shown}: ${connectFault(error)}`, { cause: error })
  }
}
