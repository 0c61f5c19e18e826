import { readFileSync, existsSync, globSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { KubernetesObject } from '@kubernetes/client-node'
import { parseAllDocuments } from 'yaml'

/** Every object in the YAML files below `directory`, files in the order of their paths; none when there is no such folder. */
export function readManifests(root: string, directory: string): KubernetesObject[] {
  const folder = join(root, directory)
  if (!existsSync(folder)) return []
  const files = globSync('**/*.yaml', { cwd: folder }).sort()
  return files.flatMap((file) => objectsIn(join(folder, file), relative(root, join(folder, file))))
}

function objectsIn(path: string, shown: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).flatMap((document) => {
    const [error] = document.errors
    if (error) throw new Error(`${shown}: ${error.message}`)
    const value = document.toJS() as KubernetesObject | null
    return value ? [value] : []
  })
}
