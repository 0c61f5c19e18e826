import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Loaded } from '#rates/published/format.ts'

/** Something that answers `/loaded` on a real socket at `host`, as an API process does, with what it is told to say. */
export async function startApiProcess(host = '127.0.0.1') {
  const loaded: Loaded = {
    ...{ program: 'api', instance: 'test', formatVersions: [2, 1], loadedAt: null, lastError: null },
    ...{ release: null, sequence: null, sets: {}, clients: null, signingKeys: [] },
  }
  let isAway = false
  const server = createServer((request, response) => {
    if (isAway) return void request.destroy()
    response.statusCode = request.url === '/loaded' ? 200 : 404
    response.end(JSON.stringify(loaded))
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}`,
    port,
    loaded,
    /** Hangs up on everyone for as long as `meanwhile` takes. */
    away: async (meanwhile: () => Promise<void>) => {
      isAway = true
      await meanwhile()
      isAway = false
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
