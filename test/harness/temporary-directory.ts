import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new empty folder that goes when this process does, or earlier by `remove`. */
export function temporaryDirectory(name: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `driveaway-${name}-`))
  const remove = () => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }
  process.on('exit', remove)
  return { path, remove }
}
