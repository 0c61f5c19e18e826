import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

interface PortRange {
  lowest: number
  highest: number
}

/**
 * Below the ports that systems use for outgoing connections: a connection could take a free port before a program
 * listens on it. NodePorts of Kubernetes start at 30000.
 */
const PROGRAMS: PortRange = { lowest: 20_000, highest: 24_999 }

/** To reserve port 20001, listens on port 25001; the system releases the reservation when the process ends. */
const RESERVATION_OFFSET = 5_000

/**
 * A free TCP port of 127.0.0.1 that no other caller gets while this process runs. A server that is restarted on its
 * port must not find another test's server there.
 */
export async function freePort({ lowest, highest }: PortRange = PROGRAMS): Promise<number> {
  const count = highest - lowest + 1
  const first = randomInt(count)
  for (let step = 0; step < count; step += 1) {
    const port = lowest + ((first + step) % count)
    const reservation = await listen(port + RESERVATION_OFFSET)
    if (reservation === undefined) continue
    reservation.unref()
    if (await isPortFree(port)) return port
    reservation.close()
  }
  throw new Error(`No free port of 127.0.0.1 found between ${lowest} and ${highest}`)
}

/** Whether a program could listen on this port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server === undefined) return false
  await new Promise((resolve) => server.close(resolve))
  return true
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1' }, () => resolve(server))
  })
}
