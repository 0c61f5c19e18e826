import { jetstream, type JsMsg } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { inParallel } from '../../runtime/in-parallel.ts'
import { batchOfVehicles } from './batches.ts'
import { RAW_BATCHES, RAW_VEHICLES, RAW_WORKER } from './raw-streams.ts'

/** The task of a peer: the number of batches, and whether each vehicle is stored. */
export interface Task {
  batches: number
  vehicles: boolean
}

// The least that a program does to put messages into JetStream and take them out: `publish` awaits each
// acknowledgement, `consume` acknowledges each message. No message is validated and no job is stored.
const [, , role = '', url = ''] = process.argv
const connection = await connect({ servers: url })
const client = jetstream(connection)
const text = JSON.stringify(batchOfVehicles(0))
const AT_ONCE = 8
const WRITES_AT_ONCE = 16
let published = 0

const publish = ({ batches }: Task): Promise<void> =>
  inParallel(AT_ONCE, Array.from({ length: batches }), async () => {
    await client.publish(`${RAW_BATCHES}.${process.pid}-${published++}`, text)
  })

async function consume({ batches, vehicles }: Task): Promise<void> {
  const consumer = await client.consumers.get(RAW_BATCHES, RAW_WORKER)
  const messages = await consumer.fetch({ max_messages: batches, expires: 60_000 })
  const work: Promise<void>[] = []
  for await (const message of messages) work.push(take(message, vehicles))
  await Promise.all(work)
}

async function take(message: JsMsg, vehicles: boolean): Promise<void> {
  if (vehicles) {
    const { items } = message.json<ReturnType<typeof batchOfVehicles>>()
    await inParallel(WRITES_AT_ONCE, items, async (item) => {
      await client.publish(`${RAW_VEHICLES}.${item.vehicle.source_id}`, JSON.stringify(item))
    })
  }
  message.ack()
}

const run = role === 'publish' ? publish : consume
process.on('message', (task: Task) => void run(task).then(() => process.send?.('done')))
process.on('disconnect', () => process.exit())
process.send?.('ready')
