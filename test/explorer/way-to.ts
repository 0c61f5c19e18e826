import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A way to a server that a test can close, or on which some answers never come. */
export interface WayTo {
  url: string
  /** Every connection is ended without an answer. */
  isDown: boolean
  /** Requests with this in their path get no answer. */
  holds: string | undefined
  /** The answers to requests with this in their path break off. */
  cuts: string | undefined
  /** Requests that wait for an answer that does not come. */
  waiting: ReadonlySet<ServerResponse>
  /** Paths of the requests that were passed on. */
  passed: string[]
  close: () => void
}

/** Opens a way to the server at `target` on a free port of loopback. */
export async function openWay(target: string): Promise<WayTo> {
  const { hostname, port } = new URL(target)
  const waiting = new Set<ServerResponse>()
  const server = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (way.isDown) return void outgoing.destroy()
    if (way.holds !== undefined && url.includes(way.holds)) {
      waiting.add(outgoing)
      outgoing.once('close', () => waiting.delete(outgoing))
      return
    }
    way.passed.push(url)
    // Where the browser has it, only a whole answer can break off.
    if (way.cuts !== undefined) delete headers['if-none-match']
    const onward = request({ hostname, port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      if (way.cuts !== undefined && url.includes(way.cuts))
        return void answer.once('data', (part: Buffer) =>
          outgoing.write(part.subarray(0, part.length / 2), () => outgoing.destroy()),
        )
      answer.pipe(outgoing)
    })
    onward.once('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const way: WayTo = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ isDown: false, holds: undefined, cuts: undefined, waiting, passed: [] },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return way
}
