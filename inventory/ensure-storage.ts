import type { NatsConnection } from '@nats-io/transport-node'
import { ensureStorage as ensureDeclared, type StorageRole } from '#runtime/nats/ensure-storage.ts'
import { declaredStorage, type InventorySettings } from './storage.ts'

/**
 * Creates and checks everything that inventory stores in JetStream; throws when it is not as declared. The worker owns it, and it
 * alone consumes.
 */
export function ensureStorage(
  connection: NatsConnection,
  settings: InventorySettings,
  role?: StorageRole,
): Promise<void> {
  const { consumer, ...stored } = declaredStorage(settings, Date.now())
  return ensureDeclared(connection, { ...stored, ...(role !== 'user' && consumer && { consumer }) }, role)
}
