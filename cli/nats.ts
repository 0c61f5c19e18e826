import { connect, type NatsConnection } from '@nats-io/transport-node'
import { ServerFault } from './faults.ts'

/** Connects to the NATS of `--nats`, NATS_URL or this machine; throws ServerFault with the addresses that were tried. */
export async function connectNats(asked: string | undefined, name: string): Promise<NatsConnection> {
  const servers = (asked ?? process.env['NATS_URL'] ?? 'nats://127.0.0.1:4222').split(',')
  try {
    return await connect({ servers, name })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ServerFault(`NATS at ${servers.map(withoutPassword).join(', ')}: ${reason}`, { cause: error })
  }
}

/** An address may have a login, which is nobody's to read in a log. */
const withoutPassword = (server: string): string => server.replace(/\/\/[^@/]*@/, '//')
