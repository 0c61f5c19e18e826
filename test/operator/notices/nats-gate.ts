import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Publications of an object store: what is announced goes there, notices do not. */
const OBJECT = /PUB \$O\./

/**
 * A way to a real nats-server that stops at the first message of an announcement and hands on nothing after it, so that a
 * process killed there has put its notices and announced nothing.
 */
export async function startNatsGate(port: number) {
  const sockets = new Set<Socket>()
  let isShut = false
  let reach: () => void = () => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const server = createServer((incoming) => {
    const onward = connect(port, '127.0.0.1')
    for (const socket of [incoming, onward]) sockets.add(socket.on('error', () => socket.destroy()))
    onward.pipe(incoming)
    incoming.on('data', (bytes) => {
      isShut ||= OBJECT.test(bytes.toString('latin1'))
      if (isShut) reach()
      else onward.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Settles when the gate has stopped there. */
    reached,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
