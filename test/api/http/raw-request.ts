import { createConnection, type Socket } from 'node:net'
import { once } from 'node:events'

export interface RawAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** The body as it came. */
  bytes: Buffer
}

/** Opens a connection to a port of this machine. */
export async function connect(port: number): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends bytes as they are and reads till the server hangs up; undefined when it says nothing. */
export async function sendRaw(port: number, ...pieces: (string | Buffer)[]): Promise<RawAnswer | undefined> {
  const socket = await connect(port)
  for (const piece of pieces) socket.write(piece, 'latin1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return parsed(Buffer.concat(chunks))
}

export function parsed(bytes: Buffer): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const answer = { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers) }
  const body = bodyOf(answer.headers, bytes.subarray(end + 4))
  return { ...answer, body: body.toString(), bytes: body }
}

function bodyOf(headers: Record<string, string>, rest: Buffer): Buffer {
  if (headers['transfer-encoding'] !== 'chunked') return rest
  const pieces: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    const size = parseInt(rest.subarray(at, lineEnd).toString(), 16)
    if (!(size > 0)) return Buffer.concat(pieces)
    pieces.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
