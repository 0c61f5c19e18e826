import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitFor } from '../harness/wait-for.ts'
import type { Stack } from './stack.ts'

const root = join(import.meta.dirname, '../..')

/** The committed text of a rate set, with replacements; each must be found, so that a test cannot change nothing. */
export function rateSet(file: string, ...replacements: [from: string | RegExp, to: string][]): string {
  return replacements.reduce(
    (text, [from, to]) => {
      const changed = text.replace(from, to)
      if (changed === text) throw new Error(`${file} has no ${from}`)
      return changed
    },
    readFileSync(join(root, 'rates/sets', file), 'utf8'),
  )
}

export async function applyText(stack: Stack, text: string): Promise<void> {
  await stack.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], text)
}

interface Conditions {
  metadata: { generation: number }
  status?: {
    digest?: string
    observedGeneration?: number
    conditions?: { type: string; status: string; reason: string; message: string; observedGeneration?: number }[]
  }
}

export async function readSet(stack: Stack, name: string): Promise<Conditions> {
  return JSON.parse(await stack.kubectl(['get', 'rateset', name, '-o', 'json'])) as Conditions
}

/** Waits until a condition of the set's present generation has this status, and returns it. */
export async function untilCondition(stack: Stack, name: string, type: string, status: string) {
  return waitFor(
    `${name} to be ${type}=${status}`,
    async () => {
      const set = await readSet(stack, name)
      const found = set.status?.conditions?.find((condition) => condition.type === type)
      if (set.status?.observedGeneration !== set.metadata.generation) throw new Error('not seen yet')
      if (found?.status !== status) throw new Error(JSON.stringify(found))
      return found
    },
    { timeoutMs: 20_000, everyMs: 100 },
  )
}
