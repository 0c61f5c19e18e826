/*
 * The decoder's process, in which certain pictures do what a fault of libvips does. A picture says it in its EXIF, so
 * that the fault comes after the picture was fetched and recognised, as a real one does.
 */
import '../../../../worker/moderation/images/decoder-process.ts'
import type { DecoderRequest } from '../../../../worker/moderation/images/decoder-process.ts'
import { HANGS, KILLS } from './deadly-pictures.ts'

process.on('message', (request) => {
  const text = Buffer.from((request as DecoderRequest).bytes).toString('latin1')
  if (text.includes(KILLS)) process.kill(process.pid, 'SIGSEGV')
  while (text.includes(HANGS));
})
