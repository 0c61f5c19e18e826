import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Manifest } from './manifest.ts'
import { openEach, sealEach } from './sealed.ts'

/** Writes a head, as one line of JSON, and a stream of bytes of any length into a new sealed file. */
export async function writeStreamFile(
  { path, name }: { path: string; name: string },
  { head, bytes }: { head: object; bytes: AsyncIterable<Uint8Array> },
  recipients: readonly string[],
): Promise<Manifest['files'][number]> {
  async function* clear() {
    yield Buffer.from(`${JSON.stringify(head)}\n`)
    yield* bytes
  }
  const digest = createHash('sha256')
  let count = 0
  const counting = new Transform({
    transform(chunk: Uint8Array, _, done) {
      digest.update(chunk)
      count += chunk.byteLength
      done(null, chunk)
    },
  })
  const sealed = await sealEach(clear(), recipients)
  await pipeline(Readable.fromWeb(sealed as never), counting, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  return { name, bytes: count, sha256: digest.digest('hex') }
}

export interface StreamFile<H> {
  head: H
  /** Can be read once. */
  bytes: AsyncGenerator<Uint8Array>
  /** Ends reading early. */
  close: () => void
}

/** Opens a file of `writeStreamFile`; throws when none of the identities opens it. */
export async function readStreamFile<H>(path: string, identities: readonly string[]): Promise<StreamFile<H>> {
  const file = createReadStream(path)
  const sealed = Readable.toWeb(file) as unknown as ReadableStream<Uint8Array>
  const clear = bytesOf(await openEach(sealed, identities))
  const parts: Uint8Array[] = []
  for (;;) {
    const { value, done } = await clear.next()
    if (done === true) throw new Error('the file has no head')
    const end = value.indexOf(10)
    parts.push(end < 0 ? value : value.subarray(0, end))
    if (end < 0) continue
    const head = JSON.parse(Buffer.concat(parts).toString()) as H
    return { head, bytes: from(value.subarray(end + 1), clear), close: () => file.destroy() }
  }
}

async function* from(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  yield* rest
}

async function* bytesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* Readable.fromWeb(stream as never) as AsyncIterable<Uint8Array>
}
