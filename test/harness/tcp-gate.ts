import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpGate {
  port: number
  /** From now on nothing passes, in either direction; what was sent in the meantime never arrives. */
  shut(): void
  /** Ends the connections that there are; new ones pass. */
  cut(): void
  close(): Promise<void>
}

/** A port of loopback behind which another one is, until the gate is shut: what is sent then is lost on the way. */
export async function openTcpGate(to: number): Promise<TcpGate> {
  let isShut = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    const pass = (from: Socket, into: Socket) => {
      sockets.add(from)
      from.on('data', (bytes) => isShut || into.write(bytes))
      from.on('error', () => undefined)
      from.on('close', () => into.destroy())
    }
    pass(client, target)
    pass(target, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    shut: () => void (isShut = true),
    cut,
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
