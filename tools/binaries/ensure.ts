import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildOnce, type Workshop } from './build.ts'
import { binaryNamed, pinned } from './catalog.ts'
import { isExecutable, locate } from './locate.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The path of a binary that can be run: found in KUBEBUILDER_ASSETS or on PATH, else cached, else built. */
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
  if (located.path !== undefined) return located.path
  const cached = isExecutable(join(workshop.cache, pinned(binary, workshop.tools).fileName))
  if (!cached) for (const reason of located.refused) workshop.say(`${name}: ${reason}, not used`)
  return buildOnce(binary, workshop)
}
