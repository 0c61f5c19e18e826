import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce, type Workshop } from './build.ts'
import { binaryNamed, pinned, type Binary } from './catalog.ts'
import { isExecutable, locate } from './locate.ts'
import { offer } from './offer.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The path of an executable binary: from KUBEBUILDER_ASSETS or PATH, else from the cache, else built. The cache also
 * has it under its plain name.
 */
export async function ensureBinary(name: string, overrides: Partial<Workshop> = {}): Promise<string> {
  const workshop: Workshop = {
    tools: join(root, 'tools'),
    cache: join(root, '.cache/bin'),
    env: process.env,
    say: (line) => process.stderr.write(`${line}\n`),
    ...overrides,
  }
  const binary = binaryNamed(name)
  const located = await locate(binary, workshop.env)
  const path = located.path ?? (await cachedOrBuilt(binary, located, workshop))
  offer(path, join(workshop.cache, name))
  return path
}

function cachedOrBuilt(binary: Binary, { refused }: { refused: string[] }, workshop: Workshop): Promise<string> {
  const cached = isExecutable(join(workshop.cache, pinned(binary, workshop.tools).fileName))
  if (!cached) for (const reason of refused) workshop.say(`${binary.name}: ${reason}, not used`)
  return buildOnce(binary, workshop)
}
