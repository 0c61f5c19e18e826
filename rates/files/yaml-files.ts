import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The .yaml and .yml files of the paths, sorted by name, except files that build tools own and what is hidden below a
 * directory: an editor's lock, and the copies beside the files of a mounted ConfigMap.
 */
export function yamlFiles(paths: readonly string[]): string[] {
  return paths.flatMap((path) => (statSync(path).isDirectory() ? below(path) : [path]))
}

function below(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file) && !/(^|\/)(\.|kustomization\.ya?ml$)/.test(file))
    .sort()
    .map((file) => join(directory, file))
}
