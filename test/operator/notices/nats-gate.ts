import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const MAILBOX = /PUB \$KV\.mailboxes\./
const PROGRESS = /PUB \$KV\.announcements\./

/**
 * A way to a real nats-server that stops where an announcement is recorded after its notices were put, and hands on nothing
 * from there, so that a process killed there has put its notices and announced nothing; or after another write, `after`.
 */
export async function startNatsGate(port: number, after = MAILBOX) {
  const sockets = new Set<Socket>()
  let hasPut = false
  let isShut = false
  let reach: () => void = () => undefined
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const server = createServer((incoming) => {
    const onward = connect(port, '127.0.0.1')
    for (const socket of [incoming, onward]) sockets.add(socket.on('error', () => socket.destroy()))
    onward.pipe(incoming)
    incoming.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      isShut ||= hasPut && PROGRESS.test(text)
      hasPut ||= after.test(text)
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
