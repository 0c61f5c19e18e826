import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { isAcceptable, type Binary } from './catalog.ts'

const run = promisify(execFile)

export type Location = { path: string } | { path: undefined; refused: string[] }

/** Searches KUBEBUILDER_ASSETS, then PATH, for an acceptable version; also returns why others were refused. */
export async function locate(binary: Binary, env: NodeJS.ProcessEnv): Promise<Location> {
  const refused: string[] = []
  for (const path of candidates(binary.name, env)) {
    const version = await versionOf(path, binary.versionArguments)
    if (version && isAcceptable(binary, version)) return { path }
    refused.push(`${path} is ${version ?? 'of an unknown version'}`)
  }
  return { path: undefined, refused }
}

function candidates(name: string, env: NodeJS.ProcessEnv): string[] {
  const folders = [env['KUBEBUILDER_ASSETS'], ...(env['PATH'] ?? '').split(delimiter)]
  const paths = folders.flatMap((folder) => (folder ? [join(folder, name)] : []))
  return [...new Set(paths)].filter(isExecutable)
}

/** Whether there is an executable file at `path`. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

async function versionOf(path: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run(path, args, { timeout: 20_000 })
    return /\bv?(\d+\.\d+\.\d+[\w.+-]*)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}
