import { readFileSync } from 'node:fs'
import { parse, type RateSetFile } from './rate-set-file.ts'
import { yamlFiles } from './yaml-files.ts'

/** Reads rate set files; a directory means every .yaml file below it. Throws when a path does not exist. */
export function readRateSets(paths: readonly string[], parseText = parse): RateSetFile[] {
  return yamlFiles(paths).map((file) => parseText(readFileSync(file, 'utf8'), file))
}
