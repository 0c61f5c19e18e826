import type { NatsConnection } from '@nats-io/transport-node'
import { followNats, type FollowedNats, type NatsOptions } from './connection.ts'
import type { DriftMetrics } from './drift.ts'

export interface FollowedStore<Store> extends Pick<FollowedNats, 'ready' | 'suspect' | 'stop'> {
  /** The store, while the server is connected and fit and the storage is as declared. */
  store(): Store | undefined
  /** Recreates missing parts of the storage; rejects when the storage is not as declared. */
  repair(): Promise<void>
}

export interface StoreOptions<Store> extends Omit<NatsOptions, 'prepare'> {
  /** Creates and checks the storage, and returns what it changed; throws when the storage is not as declared. */
  ensure(connection: NatsConnection): Promise<readonly string[]>
  /** What somebody added to the storage, one line for each consumer; it is told and stays. */
  undeclared?(connection: NatsConnection): Promise<readonly string[]>
  drift?: DriftMetrics
  open(connection: NatsConnection): Promise<Store>
}

/**
 * Follows NATS and ensures the storage at each connection. Until the storage is as declared, the program is not ready
 * and says why.
 */
export function followStore<Store extends { connection: NatsConnection }>(
  options: StoreOptions<Store>,
): FollowedStore<Store> {
  const { ensure: ensureDeclared, open, undeclared, drift, ...rest } = options
  const tellUndeclared = undeclared && undeclaredTold(undeclared, options)
  const ensure = async (connection: NatsConnection) => {
    const changed = await ensureDeclared(connection)
    if (changed.length > 0) options.log.warn({ changed }, 'the storage differed from its declaration, and was changed')
    drift?.changed(changed.length)
    await tellUndeclared?.(connection)
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
    suspect: () => nats.suspect(),
    stop: () => nats.stop(),
  }
}

/** Tells what was added, again only when it is something else. */
function undeclaredTold(
  undeclared: (connection: NatsConnection) => Promise<readonly string[]>,
  { log, drift }: Pick<StoreOptions<unknown>, 'log' | 'drift'>,
): (connection: NatsConnection) => Promise<void> {
  let told = ''
  return async (connection) => {
    try {
      const added = await undeclared(connection)
      drift?.undeclared(added.length)
      const text = added.join('; ')
      if (added.length > 0 && text !== told) log.warn({ added }, 'the storage has consumers that nobody declared')
      told = text
    } catch (fault) {
      // The storage itself is as declared, so the program goes on.
      log.warn({ fault: String(fault) }, 'the consumers of the storage cannot be listed')
    }
  }
}
