import type { NatsConnection } from '@nats-io/transport-node'
import { followNats, type FollowedNats, type NatsOptions } from './connection.ts'

export interface FollowedStore<Store> extends Pick<FollowedNats, 'ready' | 'stop'> {
  /** The store, while the server is connected and fit and the storage is as declared. */
  store(): Store | undefined
  /** Recreates missing parts of the storage; rejects when the storage is not as declared. */
  repair(): Promise<void>
}

export interface StoreOptions<Store> extends Omit<NatsOptions, 'prepare'> {
  /** Creates and checks the storage, and returns what it changed; throws when the storage is not as declared. */
  ensure(connection: NatsConnection): Promise<readonly string[]>
  open(connection: NatsConnection): Promise<Store>
}

/**
 * Follows NATS and ensures the storage at each connection. Until the storage is as declared, the program is not ready
 * and says why.
 */
export function followStore<Store extends { connection: NatsConnection }>(
  options: StoreOptions<Store>,
): FollowedStore<Store> {
  const { ensure: ensureDeclared, open, ...rest } = options
  const ensure = async (connection: NatsConnection) => {
    const changed = await ensureDeclared(connection)
    if (changed.length > 0) options.log.warn({ changed }, 'the storage differed from its declaration, and was changed')
  }
  let store: Store | undefined
  const nats = followNats({
    ...rest,
    prepare: async (connection) => {
      await ensure(connection)
      if (store?.connection !== connection) store = await open(connection)
    },
  })
  return {
    store: () => (nats.connection() ? store : undefined),
    repair: async () => {
      const connection = nats.connection()
      if (connection) await ensure(connection)
    },
    ready: () => nats.ready(),
    stop: () => nats.stop(),
  }
}
