import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, ROOT, sources, target, targetsOf } from './sources.ts'

/** What a top folder may import of ours, besides itself (docs/architecture.md). */
const ALLOWED: Record<string, string[]> = {
  rates: [],
  evaluator: ['rates'],
  runtime: [],
  crds: ['rates'],
  inventory: ['runtime'],
  notices: ['rates', 'runtime'],
  operator: ['crds', 'rates', 'runtime', 'notices'],
  api: ['rates', 'runtime', 'inventory', 'explorer'],
  worker: ['rates', 'runtime', 'inventory', 'notices'],
  backup: ['rates', 'crds', 'runtime', 'inventory', 'notices'],
  explorer: ['rates'],
  cli: ['rates', 'crds', 'runtime', 'inventory', 'notices', 'backup', 'explorer'],
}

const arrows = (folder: string): { file: string; to: string }[] =>
  sources(folder).flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const to = target(file, specifier)
      return to === undefined ? [] : [{ file, to }]
    }),
  )

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

interface Rooms {
  /** What each room may import, besides itself. */
  allowed: Record<string, string[]>
  /** Which files beside the rooms every room may import. */
  isOpen: (file: string) => boolean
}

/** The rooms of a folder; `beside` is what stands in none of them (the README of the folder). */
const ROOMS: Record<string, Rooms> = {
  'rates/engine': {
    allowed: {
      grammar: [],
      compile: ['grammar'],
      price: ['grammar', 'compile'],
      quote: ['grammar', 'compile', 'price'],
      target: ['grammar', 'compile', 'price', 'quote'],
      curve: ['grammar', 'compile', 'price', 'quote', 'target'],
      beside: ['grammar', 'compile'],
    },
    isOpen: () => true,
  },
  operator: {
    allowed: {
      cluster: [],
      'api-processes': [],
      status: ['cluster', 'api-processes'],
      publish: ['cluster', 'status'],
      secrets: ['cluster'],
      'signing-keys': ['cluster', 'api-processes', 'status'],
      'rate-set': ['cluster', 'api-processes', 'status', 'publish'],
      'showroom-client': ['cluster', 'api-processes', 'status', 'publish', 'secrets'],
      attestation: ['cluster', 'rate-set'],
      notices: ['cluster', 'publish', 'rate-set', 'showroom-client', 'attestation'],
      loop: [
        ...['cluster', 'api-processes', 'status', 'publish', 'secrets', 'signing-keys'],
        ...['rate-set', 'showroom-client', 'attestation', 'notices'],
      ],
      beside: ['loop', 'api-processes', 'rate-set', 'showroom-client', 'attestation', 'notices'],
    },
    isOpen: (file) => file === 'operator/configuration.ts',
  },
  worker: {
    allowed: {
      moderation: [],
      batches: ['moderation'],
      'late-pictures': ['moderation'],
      'stored-bytes': [],
      mail: [],
      beside: ['moderation', 'batches', 'late-pictures', 'stored-bytes', 'mail'],
    },
    isOpen: (file) => ['configuration', 'outcome', 'work'].includes(file.slice('worker/'.length, -3)),
  },
}

for (const [folder, { allowed, isOpen }] of Object.entries(ROOMS)) {
  const roomOf = (file: string): string => {
    const [room, ...rest] = file.slice(folder.length + 1).split('/')
    return rest.length > 0 ? room! : 'beside'
  }

  test(`a room of ${folder} imports only the rooms that it may`, () => {
    const wrong = arrows(folder).filter(({ file, to }) => {
      if (!to.startsWith(`${folder}/`) || roomOf(to) === roomOf(file)) return false
      return roomOf(to) === 'beside' ? !isOpen(to) : !allowed[roomOf(file)]?.includes(roomOf(to))
    })
    expect(wrong).toEqual([])
    expect(Object.keys(allowed).sort()).toEqual([...new Set(sources(folder).map(roomOf))].sort())
  })

  test(`the rooms of ${folder} are in order: each imports only from those before it`, () => {
    const order = Object.keys(allowed)
    const upward = order.flatMap((room, at) => allowed[room]!.filter((other) => order.indexOf(other) >= at))
    expect(upward).toEqual([])
  })
}

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

test('no program loads the generated models of the Kubernetes API (docs/decisions/0087)', () => {
  const value = /^import (?!type )[^;']*from '@kubernetes\/client-node'/m
  const loading = Object.keys(ALLOWED)
    .flatMap(sources)
    .filter((file) => value.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(loading).toEqual([])
})
