import { decodeImage, type DecodeLimits } from './decode-image.ts'
import { ImageFault, type ImageFaultCode } from './image-fault.ts'
import type { Pixels } from './picture-size.ts'

/** One picture to decode; the process has one at a time. */
export interface DecoderRequest {
  bytes: Uint8Array
  limits: DecodeLimits
}

/** A message of the process; the first one says that it is ready. */
export type DecoderReply =
  { ready: true } | { pixels: Pixels } | { fault: { code: ImageFaultCode; message: string } } | { failure: string }

async function replyTo({ bytes, limits }: DecoderRequest): Promise<DecoderReply> {
  try {
    return { pixels: await decodeImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits) }
  } catch (error) {
    if (!(error instanceof ImageFault)) return { failure: String(error) }
    return { fault: { code: error.code, message: error.message } }
  }
}

const reply = (message: DecoderReply): void => void process.send?.(message)

process.on('message', (request: DecoderRequest) => void replyTo(request).then(reply))
// The worker decides when it ends: a signal for the whole process group must not cost the worker its pictures.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
reply({ ready: true })
