import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// Runs in a thread: sends bodies all at once, as fast as the server reads them, and reports the status of each answer.

export interface Bodies {
  port: number
  path: string
  count: number
  bytes: number
}

const { port, path, count, bytes } = workerData as Bodies
const body = Buffer.alloc(bytes, '1')

async function connected(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Resolves when the whole body was taken and its answer has come: some callers read only when everything is sent. */
async function statusOf(socket: Socket): Promise<number> {
  const answer = once(socket, 'data')
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`
  socket.write(head)
  await new Promise((resolve) => socket.write(body, resolve))
  const [received] = (await answer) as [Buffer]
  socket.destroy()
  return Number(received.toString().slice(9, 12))
}

const sockets = await Promise.all(Array.from({ length: count }, connected))
// The server accepts a connection a moment after it is made.
await sleep(500)
parentPort?.postMessage(await Promise.all(sockets.map(statusOf)))
