import { photograph } from './sources.ts'

/** The decoder of `deadly-decoder.ts` dies of a picture with this copyright, and hangs with the other. */
export const KILLS = 'kills the decoder'
export const HANGS = 'hangs the decoder'

export const DEADLY_DECODER = new URL('./deadly-decoder.ts', import.meta.url)

/** A photograph that does this to that decoder; to every other reader, a good one. */
export const deadly = (fault: typeof KILLS | typeof HANGS): Promise<Buffer> =>
  photograph().withExif({ IFD0: { Copyright: fault } }).jpeg().toBuffer()
