import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type RateSetFile } from './rate-set-file.ts'

/** Reads rate set files; a directory means every .yaml file below it. Throws when a path does not exist. */
export function readRateSets(paths: readonly string[], parseText = parse): RateSetFile[] {
  return yamlFiles(paths).map((file) => parseText(readFileSync(file, 'utf8'), file))
}

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
