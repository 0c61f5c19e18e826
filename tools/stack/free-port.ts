import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

interface PortRange {
  lowest: number
  highest: number
}

/**
 * Below the ports that systems give to outgoing connections: a connection could take one of those between the moment
 * that the port was free and the moment that a program listens on it. NodePorts of Kubernetes begin at 30000.
 */
const PROGRAMS: PortRange = { lowest: 20_000, highest: 24_999 }

/** Port 20001 is reserved by listening on port 25001; the system ends the reservation together with the process. */
const RESERVATION_OFFSET = 5_000

/**
 * A TCP port of 127.0.0.1 that nothing listens on, and that no other caller gets as long as this process runs. A server
 * that is stopped and started again on its port must not find another test's server there.
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
