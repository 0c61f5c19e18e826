import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { neededBy, ROOT } from './sources.ts'

const lines = (file: string): string[] => readFileSync(join(ROOT, file), 'utf8').split('\n')

/** What each image copies from the build context, by the name of its stage. */
function copies(): Map<string, string[]> {
  const stages = new Map<string, string[]>()
  let copied: string[] = []
  for (const line of lines('Dockerfile')) {
    const stage = /^FROM \S+ AS (\S+)/.exec(line)?.[1]
    if (stage) stages.set(stage, (copied = []))
    const sources = /^COPY (?!--from)(.+) \S+$/.exec(line)?.[1]
    copied.push(...(sources?.split(' ') ?? []))
  }
  return stages
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const PROGRAMS: Record<string, string[]> = {
  worker: ['worker/main.ts'],
  platform: ['operator/main.ts', 'api/main.ts', 'cli/main.ts'],
}

for (const [stage, programs] of Object.entries(PROGRAMS)) {
  test(`the image ${stage} has every file that its programs import`, () => {
    const copied = copies().get(stage) ?? []
    const imported = neededBy(programs)
    expect(imported.length).toBeGreaterThan(50)
    expect(imported.filter((file) => !copied.some((each) => isBelow(file, each)))).toEqual([])
  })

  test(`the build context has whatever the image ${stage} copies`, () => {
    const sent = lines('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    expect(copies().get(stage)?.filter((path) => !sent.some((each) => isBelow(path, each)))).toEqual([])
  })
}
