import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { Router } from '@koa/router'
import type { Context } from 'koa'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerJson } from '../../../api/http/answer-json.ts'
import { createApp } from '../../../api/http/app.ts'
import { jsonReader } from '../../../api/http/read-body.ts'
import { serve, type HttpServer } from '../../../api/http/serve.ts'
import { appServices } from '../app-services.ts'

/** Most requests that wait for the others of their turn, and most of one connection that wait for answers. */
const MOST = 32

type Stage = 'read' | 'handled' | 'written'

let served: HttpServer
let accepted = 0
const countAccepted = () => void (accepted += 1)
let stages: Stage[] = []
let handle: (ctx: Context) => void = () => undefined
// Each has a server of its own: requests of a flood may still be read when its test is over.
beforeEach(async () => {
  accepted = 0
  subscribe('net.server.socket', countAccepted)
  handle = () => undefined
  const own: Stage[] = []
  stages = own
  const router = new Router()
  const read = jsonReader(['application/json'], { limit: 100 })
  router.post('/', async (ctx) => {
    own.push('read')
    await read(ctx)
    own.push('handled')
    handle(ctx)
    ctx.res.on('prefinish', () => own.push('written'))
    answerJson(ctx, 'an answer')
  })
  served = await serve(createApp(router, appServices()), { host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  unsubscribe('net.server.socket', countAccepted)
  await served.close()
})

/** Sends this many requests, which all arrive in one turn of the server, and returns the text that each gets back. */
async function sendAtOnce(count: number): Promise<string[]> {
  const sockets = Array.from({ length: count }, () => createConnection(served.port, '127.0.0.1'))
  await vi.waitFor(() => expect(accepted).toBe(count), { interval: 1 })
  const answers = sockets.map(received)
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close'
  for (const socket of sockets) socket.write(`${head}\r\n\r\n{}`)
  return Promise.all(answers)
}

async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data) => (text += String(data))).on('error', () => undefined)
  await once(socket, 'close')
  return text
}

const times = (count: number, stage: Stage) => Array<Stage>(count).fill(stage)

test('requests of one turn are all read, then all handled, then all answered', async () => {
  const answers = await sendAtOnce(5)
  expect(stages).toEqual([...times(5, 'read'), ...times(5, 'handled'), ...times(5, 'written')])
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1.1 200 .*"an answer"$/s)
})

test('only so many requests wait for others; one beyond these is handled at once', async () => {
  await sendAtOnce(MOST + 3)
  const beyond = Array.from({ length: 3 }, (): Stage[] => ['read', 'handled', 'written']).flat()
  expect(stages).toEqual([...times(MOST, 'read'), ...beyond, ...times(MOST, 'handled'), ...times(MOST, 'written')])
})

test.each([
  ['small', 'content-length: 2\r\n\r\n{}'],
  ['empty', 'content-length: 0\r\n\r\n'],
  ['chunked', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n'],
])(
  'of %s requests on one connection a few get their answers in order, and a flood ends the connection',
  async (_, rest) => {
    const one = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`
    const answered = async (count: number) => {
      const socket = createConnection(served.port, '127.0.0.1')
      let text = ''
      const answers = () => text.match(/HTTP\/1.1 200 /g)?.length ?? 0
      socket.on('data', (data) => (text += String(data))).on('error', () => undefined)
      socket.write(one.repeat(count))
      await vi.waitFor(() => expect(socket.closed || answers() === count).toBe(true))
      const { closed: isClosed } = socket
      socket.destroy()
      return { answers: answers(), isClosed }
    }
    expect(await answered(MOST)).toEqual({ answers: MOST, isClosed: false })
    const { answers, isClosed } = await answered(2_000)
    expect(isClosed).toBe(true)
    expect(answers).toBeLessThanOrEqual(MOST)
  },
)

test('a caller that is gone when its answer is written takes no answer from others', async () => {
  const requests: Context[] = []
  handle = (ctx) => {
    requests.push(ctx)
    if (requests.length === 3) requests[0]!.req.socket.destroy()
  }
  const answers = await sendAtOnce(4)
  expect(answers.filter((answer) => answer.endsWith('"an answer"'))).toHaveLength(3)
  expect(answers.filter((answer) => answer === '')).toHaveLength(1)
})
