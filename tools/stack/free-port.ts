import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections: one of those may be taken by any connection between the
 * moment that it was seen free and the moment that a program listens on it. NodePorts of Kubernetes begin at 30000.
 */
const LOWEST = 20_000
const HIGHEST = 29_999

/** A TCP port of 127.0.0.1 that nothing listens on now; random, so that two who ask at a time rarely get the same. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (await isPortFree(port)) return port
  }
  throw new Error(`No free port of 127.0.0.1 found between ${LOWEST} and ${HIGHEST}`)
}

/** Whether a program could listen on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
