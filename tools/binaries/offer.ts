import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'

/** Links a binary under its plain name, for a user's PATH; an existing one is left as it is. */
export function offer(path: string, link: string): void {
  if (realPath(link) === realPath(path)) return
  mkdirSync(dirname(link), { recursive: true })
  // Renamed into place, so that it is never missing.
  const temporary = `${link}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  symlinkSync(path, temporary)
  renameSync(temporary, link)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
