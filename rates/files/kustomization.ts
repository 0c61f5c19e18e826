import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from './document.ts'
import type { LocatedFault, Position } from './located.ts'

export const KUSTOMIZATION = ['Kustomization', 'kustomization.yaml', 'kustomization.yml']

/** The kustomization file of a folder; undefined when the folder has none. */
export const kustomizationOf = (folder: string): string | undefined =>
  KUSTOMIZATION.map((name) => join(folder, name)).find((file) => existsSync(file))

/** A parsed kustomization: its entries, or the faults that prevent reading it. */
export interface Kustomization {
  file: string
  entries: string[]
  faults: LocatedFault[]
  locate: (path: string) => Position
}

/** Reads a kustomization file; never throws because of the file's content. */
export function readKustomization(file: string): Kustomization {
  const { value, faults, locate } = parseDocument(readFileSync(file, 'utf8'), file)
  // Aliases are a fault in a rate set, but common in a kustomization.
  if (value === undefined) return { file, entries: [], faults, locate }
  const lists = ['resources', 'components'].map((key) => ({
    key,
    list: (value as Record<string, unknown> | null)?.[key],
  }))
  const odd = lists.filter(({ list }) => list !== undefined && !isTexts(list))
  const fault = ({ key }: { key: string }): LocatedFault => ({
    check: 'kustomization',
    path: key,
    message: 'expected a list of files and folders',
    file,
    ...locate(key),
  })
  return { file, entries: lists.flatMap(({ list }) => (isTexts(list) ? list : [])), faults: odd.map(fault), locate }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
