import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { Router } from '@koa/router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../../api/errors.ts'
import { createApp } from '../../../api/http/app.ts'
import { jsonReader } from '../../../api/http/read-body.ts'
import { serve, type HttpServer } from '../../../api/http/serve.ts'
import { appServices } from '../app-services.ts'
import type { Bodies } from './send-bodies.ts'

const MEGABYTE = 1024 ** 2
const COUNT = 100

/**
 * Most bytes of a connection that one turn reads of its own accord: the piece of 64 KiB with the head of the request, and
 * one more, because the first leaves the buffer of the body just short of full.
 */
const OWN_BYTES = 2 * 64 * 1024

let served: HttpServer
let begun = 0
const sockets = new Set<Socket>()
const follow = (message: unknown) => void sockets.add((message as { socket: Socket }).socket)

beforeAll(async () => {
  subscribe('net.server.socket', follow)
  const router = new Router()
  const read = jsonReader(['application/json'], { limit: 2 * MEGABYTE })
  router.post('/read', async (ctx) => {
    begun += 1
    ctx.body = { bytes: (await read(ctx))?.length }
  })
  router.post('/refused', () => {
    begun += 1
    throw new ApiError('queue_full', 'No.')
  })
  served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  unsubscribe('net.server.socket', follow)
  await served.close()
})

interface Turn {
  /** Bytes that were read. */
  bytes: number
  /** Bytes that were read from one connection. */
  ofOne: number
  /** Requests that were begun. */
  requests: number
}

/** The most of all turns of the event loop while bodies arrive. */
async function mostInOneTurn(run: Promise<unknown>): Promise<Turn> {
  const most: Turn = { bytes: 0, ofOne: 0, requests: 0 }
  const before = new Map<Socket, number>()
  let begunBefore = begun
  let isOver = false
  const turn = () => {
    const read = [...sockets].map((socket) => socket.bytesRead - (before.get(socket) ?? 0))
    for (const socket of sockets) before.set(socket, socket.bytesRead)
    most.bytes = Math.max(
      most.bytes,
      read.reduce((sum, bytes) => sum + bytes, 0),
    )
    most.ofOne = Math.max(most.ofOne, ...read)
    most.requests = Math.max(most.requests, begun - begunBefore)
    begunBefore = begun
    // On a busy machine all senders get ahead of the reader.
    for (const end = performance.now() + 3; performance.now() < end;);
    if (!isOver) setImmediate(turn)
  }
  turn()
  await run
  isOver = true
  return most
}

test.each([
  ['/read', 200],
  ['/refused', 503],
])(
  'a hundred large bodies for %s that arrive at once are read in many turns, and each is answered',
  async (path, status) => {
    sockets.clear()
    const workerData: Bodies = { port: served.port, path, count: COUNT, bytes: 2 * MEGABYTE }
    const answers = once(new Worker(new URL('send-bodies.ts', import.meta.url), { workerData }), 'message')
    const most = await mostInOneTurn(answers)
    expect((await answers)[0]).toEqual(Array.from({ length: COUNT }, () => status))
    expect(most.requests).toBeLessThanOrEqual(8)
    expect(most.ofOne).toBeLessThanOrEqual(OWN_BYTES)
    expect(most.bytes).toBeLessThanOrEqual(2 * MEGABYTE + COUNT * OWN_BYTES)
  },
  60_000,
)
