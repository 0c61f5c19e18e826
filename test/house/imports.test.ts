import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** What a top folder may import of ours, besides itself (docs/architecture.md). */
const ALLOWED: Record<string, string[]> = {
  rates: [],
  runtime: [],
  crds: ['rates'],
  inventory: ['runtime'],
  notices: ['rates', 'runtime'],
  operator: ['crds', 'rates', 'runtime', 'notices'],
  api: ['rates', 'runtime', 'inventory'],
  worker: ['rates', 'runtime', 'inventory', 'notices'],
  cli: ['rates', 'crds', 'runtime', 'inventory', 'notices'],
}

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1]!)

/** The file of ours that an import names, or undefined for a package. */
function target(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? normalize(join(dirname(file), specifier)) : undefined
}

const arrows = (folder: string): { file: string; to: string }[] =>
  sources(folder).flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const to = target(file, specifier)
      return to === undefined ? [] : [{ file, to }]
    }),
  )

const targetsOf = (file: string): string[] => importsOf(file).flatMap((specifier) => target(file, specifier) ?? [])

for (const [folder, allowed] of Object.entries(ALLOWED)) {
  test(`${folder} imports only ${[folder, ...allowed].join(', ')} of ours`, () => {
    const wrong = arrows(folder).filter(({ to }) => ![folder, ...allowed].includes(to.split('/')[0]!))
    expect(wrong).toEqual([])
  })
}

test('every folder that is walked has sources, so that an empty walk cannot pass', () => {
  expect(Object.keys(ALLOWED).filter((folder) => sources(folder).length === 0)).toEqual([])
})

test('the engine imports nothing of ours outside itself and does no input or output', () => {
  const outside = arrows('rates/engine').filter(({ to }) => !to.startsWith('rates/engine/'))
  const io = sources('rates/engine').flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('node:'))
      .map((specifier) => ({ file, specifier })),
  )
  expect({ outside, io }).toEqual({ outside: [], io: [] })
})

/** What a room of the engine may import, besides itself and what stands beside the rooms (rates/engine/README.md). */
const ROOMS: Record<string, string[]> = {
  grammar: [],
  compile: ['grammar'],
  price: ['grammar', 'compile'],
  quote: ['grammar', 'compile', 'price'],
  target: ['grammar', 'compile', 'price', 'quote'],
}

const roomOf = (file: string): string => /^rates\/engine\/(\w+)\//.exec(file)?.[1] ?? 'beside'

test('a room of the engine imports only the rooms before it, and what stands beside them prices nothing', () => {
  const rooms = { ...ROOMS, beside: ['grammar', 'compile'] }
  const wrong = arrows('rates/engine').filter(({ file, to }) => {
    const [from, into] = [roomOf(file), roomOf(to)]
    return into !== from && into !== 'beside' && !rooms[from as keyof typeof rooms]!.includes(into)
  })
  expect(wrong).toEqual([])
  expect(Object.keys(ROOMS).filter((room) => sources(`rates/engine/${room}`).length === 0)).toEqual([])
})

test('the engine names no jurisdiction, no date and reads no clock', () => {
  const named = sources('rates/engine').filter((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    return /\bAU_(ACT|NSW|NT|QLD|SA|TAS|VIC|WA)\b|['"`]20\d\d-\d\d|Date\.now|new Date\(\)|Math\.random/.test(code)
  })
  expect(named).toEqual([])
})

test('no file imports itself by way of others', () => {
  const files = new Map(
    Object.keys(ALLOWED).flatMap((folder) => sources(folder).map((file) => [file, targetsOf(file)] as const)),
  )
  const done = new Set<string>()
  const circle = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const to of files.get(file) ?? []) {
      const found = circle(to, [...path, file])
      if (found.length > 0) return found
    }
    done.add(file)
    return []
  }
  expect([...files.keys()].map((file) => circle(file, [])).find((found) => found.length > 0)).toBeUndefined()
})
