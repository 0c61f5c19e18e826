import { createServer, type AddressInfo } from 'node:net'

/** A TCP port of 127.0.0.1 that nothing listens on now. */
export function freePort(): Promise<number> {
  return tryPort(0)
}

/** Whether a program could listen on this port of 127.0.0.1 now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port).catch(() => undefined)) !== undefined
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen({ port, host: '127.0.0.1' }, () => {
      const chosen = (server.address() as AddressInfo).port
      server.close(() => resolve(chosen))
    })
  })
}
