import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp, { type Sharp } from 'sharp'

export interface Source {
  /** `http://127.0.0.1:port` */
  url: string
  port: number
  /** Paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

/** A real web server on a loopback address. */
export async function startSource(answer: RequestListener, address = '127.0.0.1'): Promise<Source> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, address)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://${address.includes(':') ? `[${address}]` : address}:${port}`, port, asked },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A photograph of nothing: noise, so that its file is large for its size, as a photograph's is. */
export function photograph(width = 640, height = 480): Sharp {
  return sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
}
