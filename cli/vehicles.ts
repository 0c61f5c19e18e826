import { parseArgs } from 'node:util'
import { openStore } from '#inventory/store.ts'
import type { VehicleRecord, Vehicles } from '#inventory/vehicles.ts'
import { WrongCall, type Help } from './help.ts'
import { connectNats } from './nats.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: ['vehicles --client ID [source id…] [--nats URL]'],
  about:
    'What the inventory has stored of a client’s vehicles: those named, by the source_id that the client gave them, or all. For looking; a system that serves reads watches the bucket.',
  options: [
    ['--client ID', 'whose vehicles'],
    ['--nats URL', 'where NATS is (NATS_URL, or nats://127.0.0.1:4222); the login is in NATS_SECRET_DIRECTORY'],
    ['--output json', 'the whole records'],
  ],
  examples: [
    ['vehicles --client uploader', 'one line for each, with the job that wrote it'],
    ['vehicles --client uploader NS-1 --output json', 'one of them, as it is stored'],
  ],
  exits: { done: 'all that were named are there', refused: 'one that was named is not' },
}

export const options = {
  client: { type: 'string' },
  nats: { type: 'string' },
  output: OUTPUT,
} as const

/** Prints vehicles as they are stored; 1 when one that is named is not. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals: wanted } = parseArgs({ args, options, allowPositionals: true })
  const output = oneOf('output', values.output, options.output.choices)
  const { client } = values
  if (client === undefined) throw new WrongCall('--client says whose vehicles')
  const connection = await connectNats(values.nats, 'driveaway-vehicles')
  try {
    const { vehicles } = await openStore(connection)
    const found = await (wanted.length > 0 ? named(vehicles, client, wanted) : vehicles.list(client))
    if (output === 'json') terminal.write(asJson(found))
    else for (const record of found) terminal.write(line(record))
    const missing = wanted.filter((id) => !found.some(({ source_id: sourceId }) => sourceId === id))
    for (const id of missing) terminal.note(`${id} is not stored`)
    if (found.length === 0 && wanted.length === 0) terminal.note('no vehicles')
    return missing.length > 0 ? 1 : 0
  } finally {
    await connection.drain()
  }
}

async function named(vehicles: Vehicles, client: string, wanted: readonly string[]): Promise<VehicleRecord[]> {
  const records = await Promise.all(wanted.map((id) => vehicles.read(client, id)))
  return records.filter((record) => record !== undefined)
}

function line({ source_id: id, job_id: job, stored_at: at, item }: VehicleRecord): string {
  return `${id}  ${at}  job ${job}  ${counted(item.assets?.length ?? 0, 'asset')}`
}
