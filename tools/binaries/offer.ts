import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'

/** Puts a binary under a plain name too, for a person's PATH; one that is there already by that name is left alone. */
export function offer(path: string, link: string): void {
  if (realPath(link) === realPath(path)) return
  mkdirSync(dirname(link), { recursive: true })
  // Renamed into place, so that it is never absent.
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
