import { jetstreamManager, type ConsumerInfo } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { BATCHES, consumerOf } from './storage.ts'

/**
 * Consumers of the stream of batches that no worker makes, one line for each. A work queue gives each batch to one
 * consumer, so such a consumer takes the batches of a client, or keeps its own from being made: uploads wait.
 */
export async function undeclaredConsumers(connection: NatsConnection): Promise<string[]> {
  const manager = await jetstreamManager(connection)
  const lines: string[] = []
  for await (const consumer of manager.consumers.list(BATCHES)) if (!isOfWorkers(consumer)) lines.push(lineOf(consumer))
  return lines.sort()
}

function isOfWorkers({ name, config }: ConsumerInfo): boolean {
  const token = /^batches\.([^.*>]+)\.\*$/.exec(config.filter_subject ?? '')?.[1]
  return token !== undefined && consumerOf(token).durable_name === name
}

function lineOf({ name, config }: ConsumerInfo): string {
  const subjects = config.filter_subjects ?? [config.filter_subject ?? 'batches.>']
  return `consumer ${name} of ${BATCHES}: takes ${subjects.join(', ')}, and no worker made it`
}
