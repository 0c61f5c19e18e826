import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Every source of a folder, as a path from the root. */
export const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))

/** What a file imports, as written there. */
export const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)

/** The file of ours that an import names, or undefined for a package. */
export function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined
}

/** The files of ours that a file imports. */
export const targetsOf = (file: string): string[] => importsOf(file).flatMap((specifier) => target(file, specifier) ?? [])

/** The files of ours that these programs need: they themselves, and what they import by way of others. */
export function neededBy(programs: readonly string[]): string[] {
  const needed = new Set(programs)
  for (const file of needed) if (file.endsWith('.ts')) for (const to of targetsOf(file)) needed.add(to)
  return [...needed]
}
