import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, sources, targetsOf } from './sources.ts'

const FEWEST_LINES = 20

/** Folders whose files are each named after what a reader looks for: the name is the reason. */
const NAMED: Record<string, string> = {
  'api/pricing/operations/': 'one file an operation, named after its operationId',
  'api/inventory/operations/': 'one file an operation, named after its operationId',
  'rates/checks/': 'one file a check, named after its id',
  'bench/peers/': 'one file a peer',
}

/** Small files with one importer that stay, and why. */
const KEPT: Record<string, string> = {
  'api/auth/client-secret.ts': 'where secrets are compared: a security review looks for it',
  'api/http/compress.ts': 'where answers are compressed',
  'bench/cores.ts': 'where programs run, which is no matter of what is measured',
  'cli/findings/github.ts': 'one file a format of findings',
  'crds/chart.ts': 'one file an output of the generator',
  'operator/rate-set/refused.ts': 'the same step as operator/showroom-client/refused.ts',
  'runtime/kube/guard-handler.ts': 'watch-loop.ts is as long as a file may be',
  'runtime/kube/json-lines.ts': 'a format, known by this name',
  'worker/moderation/content/long-items-thread.ts': 'the entry of a thread',
  'worker/moderation/content/warm-up.ts': 'its text changes with the expressions beside it',
}

const FOLDERS = [
  ...[
    'api',
    'backup',
    'bench',
    'cli',
    'crds',
    'evaluator',
    'explorer',
    'inventory',
    'notices',
    'operator',
    'rates',
    'runtime',
  ],
  ...['test', 'tools', 'worker'],
]
const files = FOLDERS.flatMap((folder) => sources(folder))
const lengthOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length

/** The files below the limit that exactly one file imports. */
function splinters(): string[] {
  const importers = new Map<string, number>()
  for (const file of files) for (const to of new Set(targetsOf(file))) importers.set(to, (importers.get(to) ?? 0) + 1)
  return files.filter((file) => importers.get(file) === 1 && lengthOf(file) < FEWEST_LINES)
}

test('a small file with one importer is joined to its importer, or listed with the reason why it stays', () => {
  const unnamed = splinters().filter((file) => !Object.keys(NAMED).some((folder) => file.startsWith(folder)))
  expect(unnamed.sort()).toEqual(Object.keys(KEPT).sort())
})
