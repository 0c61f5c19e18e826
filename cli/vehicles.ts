import { parseArgs } from 'node:util'
import { openStore } from '#inventory/store.ts'
import type { VehicleRecord, Vehicles } from '#inventory/vehicles.ts'
import { WrongCall, type Help } from './help.ts'
import { connectNats } from './nats.ts'
import { OUTPUT } from './options.ts'
import { asJson, counted, oneOf } from './output.ts'
import type { Terminal } from './terminal.ts'

export const help: Help = {
  usage: [
    'vehicles --client ID [source id…] [--nats URL]',
    'vehicles delete --client ID source id…|--all [--nats URL]',
  ],
  about:
    'Shows or deletes the stored vehicles of a client: those named by source_id, or all. The command is for people; a program that serves vehicles watches the bucket, and sees each deletion. A batch that still waits, or is replayed, stores its vehicles again.',
  options: [
    ['--client ID', 'whose vehicles'],
    ['--all', 'with delete: every vehicle of the client'],
    [
      '--nats URL',
      'the address of NATS (default: NATS_URL, or nats://127.0.0.1:4222); NATS_SECRET_DIRECTORY contains the login',
    ],
    ['--output json', 'the whole records as JSON'],
  ],
  examples: [
    ['vehicles --client uploader', 'one line per vehicle, with the job that wrote it'],
    ['vehicles --client uploader NS-1 --output json', 'one vehicle, as it is stored'],
    ['vehicles delete --client uploader NS-1 NS-2', 'vehicles that the client will not upload as sold any more'],
  ],
  exits: { done: 'everything named was found', refused: 'something named was not found' },
}

export const options = {
  client: { type: 'string' },
  all: { type: 'boolean', default: false },
  nats: { type: 'string' },
  output: OUTPUT,
} as const

const DELETE = 'delete'

/** Prints stored vehicles, or deletes them; returns 1 when a named one does not exist. */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  // Only as the first word: a vehicle may have that name too.
  const isDeletion = args[0] === DELETE
  const { values, positionals: sourceIds } = parseArgs({
    args: isDeletion ? args.slice(1) : args,
    options,
    allowPositionals: true,
  })
  const output = oneOf('output', values.output, options.output.choices)
  const { client } = values
  if (client === undefined) throw new WrongCall('expected --client')
  checkNames(isDeletion, values.all, sourceIds)
  const connection = await connectNats(values.nats, 'driveaway-vehicles')
  try {
    const { vehicles } = await openStore(connection)
    if (isDeletion) return await removeAll(vehicles, { client, sourceIds, terminal })
    const { records: found, unreadable } = await vehicles.list(client, sourceIds.length > 0 ? sourceIds : undefined)
    if (output === 'json') terminal.write(asJson(found))
    else for (const record of found) terminal.write(line(record))
    for (const id of unreadable) terminal.note(`${id} cannot be read: the next upload replaces it`)
    const isThere = (id: string) => unreadable.includes(id) || found.some(({ source_id: sourceId }) => sourceId === id)
    const missing = sourceIds.filter((id) => !isThere(id))
    for (const id of missing) terminal.note(`${id} is not stored`)
    if (found.length + unreadable.length === 0 && sourceIds.length === 0) terminal.note('no vehicles')
    return missing.length > 0 ? 1 : 0
  } finally {
    await connection.drain()
  }
}

function checkNames(isDeletion: boolean, all: boolean, sourceIds: readonly string[]): void {
  if (isDeletion && all === sourceIds.length > 0) throw new WrongCall('delete takes source ids or --all')
  if (!isDeletion && all) throw new WrongCall('--all is for delete')
}

interface Removal {
  client: string
  /** When empty, all vehicles of the client. */
  sourceIds: readonly string[]
  terminal: Terminal
}

async function removeAll(vehicles: Vehicles, { client, sourceIds, terminal }: Removal): Promise<number> {
  const ids = sourceIds.length > 0 ? sourceIds : await allOf(vehicles, client)
  let missing = 0
  for (const id of ids) {
    if (await vehicles.remove(client, id)) terminal.write(`${id} deleted`)
    else {
      terminal.note(`${id} is not stored`)
      missing += 1
    }
  }
  if (ids.length === 0) terminal.note('no vehicles')
  return missing > 0 ? 1 : 0
}

async function allOf(vehicles: Vehicles, client: string): Promise<string[]> {
  const { records, unreadable } = await vehicles.list(client)
  return [...records.map(({ source_id: id }) => id), ...unreadable]
}

function line({ source_id: id, job_id: job, stored_at: at, item }: VehicleRecord): string {
  return `${id}  ${at}  job ${job}  ${counted(item.assets?.length ?? 0, 'asset')}`
}
