import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { hostileBatches } from './inventory/hostile-batches.ts'
import { batchOfVehicles } from './inventory/batches.ts'
import { startWorld, type World } from './inventory/world.ts'
import type { Figure, Section } from './report.ts'
import { ratioOf } from './report.ts'

const BODIES = 200
const HOSTILE_CLIENTS = 7
const LIVE_MS = 100
const MEGABYTE = 1024 ** 2

/** `GET /livez`, memory, and the uploads of another client, while hostile bodies of 2 MB arrive all at once. */
export async function hostileUploads(): Promise<Section> {
  const world = await startWorld()
  try {
    // Warms up the compilers, and measures answers without other load.
    await uploadFor(world, 3_000)
    const calm = await probed(world, () => sleep(2_000))
    const before = megabytes(world)
    const memory = followMemory(world)
    const served = { uploads: 0, refused: 0, worstMs: 0 }
    const statuses: Record<string, number> = {}
    const stormy = await probed(world, async () => {
      const storm = new AbortController()
      const other = keepUploading(world, storm.signal, served)
      await attack(world, statuses)
      storm.abort()
      await other
    })
    return section({ calm, stormy, before, most: memory.end(), served, statuses })
  } finally {
    await world.stop()
  }
}

/**
 * The milliseconds of each answer of `/livez` while `run` works; measured in a thread, so that our own work delays
 * none.
 */
async function probed({ inventory }: World, run: () => Promise<unknown>): Promise<number[]> {
  const thread = new Worker(new URL('inventory/probe.ts', import.meta.url), {
    workerData: `${inventory.healthUrl}/livez`,
  })
  await run()
  thread.postMessage('over')
  const [times] = (await once(thread, 'message')) as [number[]]
  return times
}

const megabytes = ({ inventory: { pids } }: World): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pids[0]}/status`, 'utf8'))?.[1]) / 1024

function followMemory(world: World) {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, megabytes(world))), 50)
  return { end: () => (clearInterval(timer), most) }
}

async function uploadFor(world: World, ms: number): Promise<void> {
  const over = AbortSignal.timeout(ms)
  while (!over.aborted) await uploadOne(world)
}

async function uploadOne({ inventory: { url, tokens } }: World): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokens.at(-1)}` }
  const body = JSON.stringify(batchOfVehicles(0))
  const response = await fetch(`${url}/batch`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

interface Served {
  uploads: number
  refused: number
  worstMs: number
}

async function keepUploading(world: World, signal: AbortSignal, served: Served): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now()
    const status = await uploadOne(world)
    served.worstMs = Math.max(served.worstMs, performance.now() - start)
    if (status === 201) served.uploads += 1
    else served.refused += 1
  }
}

/** Sends all but the last byte of every body, then all last bytes at once, and waits for all answers. */
async function attack(world: World, statuses: Record<string, number>): Promise<void> {
  const bodies = Object.values(hostileBatches())
  const sent = Array.from({ length: BODIES }, (_, at) => {
    const body = Buffer.from(bodies[at % bodies.length]!)
    return { body, socket: open(world, at % HOSTILE_CLIENTS, body.length) }
  })
  const answers = sent.map(({ socket }) => answerOf(socket, statuses))
  for (const { body, socket } of sent) socket.write(body.subarray(0, -1))
  await sleep(2_000)
  for (const { body, socket } of sent) if (socket.writable) socket.write(body.subarray(-1))
  await Promise.all(answers)
}

function open({ inventory: { url, tokens } }: World, client: number, length: number): Socket {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const head = `POST /batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens[client]}\r\nIdempotency-Key: k`
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`)
  return socket
}

function answerOf(socket: Socket, statuses: Record<string, number>): Promise<void> {
  return new Promise((resolve) => {
    const note = (status: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      socket.removeAllListeners('close').destroy()
      resolve()
    }
    socket.once('data', (data) => note(data.toString().slice(9, 12)))
    socket.once('close', () => note('cut'))
  })
}

interface Outcome {
  calm: number[]
  stormy: number[]
  before: number
  most: number
  served: Served
  statuses: Record<string, number>
}

function section({ calm, stormy, before, most, served, statuses }: Outcome): Section {
  const worst = Math.max(...stormy)
  const live: Figure = {
    what: 'the slowest `GET /livez`',
    measured: `${worst.toFixed(0)} ms of ${stormy.length} asked; calm ${Math.max(...calm).toFixed(0)} ms`,
    ratio: ratioOf(worst, LIVE_MS),
    comparedWith: `${LIVE_MS} ms`,
    target: `at most 1 (${LIVE_MS} ms)`,
    met: worst <= LIVE_MS,
  }
  const bytes = (BODIES * 2 * MEGABYTE) / MEGABYTE
  const memory: Figure = {
    what: 'memory of the process, beyond what it had',
    measured: `${before.toFixed(0)} MB, at most ${most.toFixed(0)} MB; answers ${JSON.stringify(statuses)}`,
    ratio: ratioOf(most - before, bytes),
    comparedWith: `the bytes of the bodies, ${bytes} MB`,
    target: '',
    met: null,
  }
  const uploads = served.uploads + served.refused
  const others: Figure = {
    what: 'uploads of another client that were accepted',
    measured: `${served.uploads} of ${uploads}, the slowest in ${served.worstMs.toFixed(0)} ms`,
    ratio: ratioOf(served.uploads, uploads),
    comparedWith: 'its uploads in that time',
    target: '1',
    met: served.refused === 0,
  }
  return { title: 'Two hundred hostile uploads at once', how, figures: [live, memory, others] }
}

const how =
  `${HOSTILE_CLIENTS} clients send ${BODIES} bodies of 2 MB at once, of ten kinds that are costly to parse or to check, to one API ` +
  'process; each last byte is held back till all others have arrived. In that time a thread asks for `/livez` every 10 ms, and another ' +
  'client uploads batches of 100 vehicles one after another.'
