import { appendFile, rename, stat } from 'node:fs/promises'
import type { Destination } from './decision-log.ts'

/**
 * A file to which lines are appended, and the one before it: at `maxBytes` the file becomes `<path>.1`, in the place of the
 * one that was there.
 */
export function fileDestination(path: string, maxBytes: number): Destination {
  // The last line may be half written: by a process that was killed, or on a disk that was full.
  let isTorn = true
  return {
    write: async (lines) => {
      const text = `${lines.join('\n')}\n`
      const size = await stat(path).then(
        (found) => found.size,
        () => 0,
      )
      if (size > 0 && size + text.length > maxBytes) await rename(path, `${path}.1`)
      const begin = isTorn && size > 0 ? '\n' : ''
      isTorn = true
      await appendFile(path, `${begin}${text}`, { mode: 0o600 })
      isTorn = false
      return 0
    },
    stop: async () => undefined,
  }
}
