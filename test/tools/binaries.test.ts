import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { binaryNamed, isAcceptable, pinned } from '../../tools/binaries/catalog.ts'
import { ensureBinary } from '../../tools/binaries/ensure.ts'
import { temporaryDirectory } from '../harness/temporary-directory.ts'

let folder: ReturnType<typeof temporaryDirectory>
let said: string[]
beforeEach(() => {
  folder = temporaryDirectory('binaries')
  said = []
  for (const name of ['assets', 'path', 'go']) mkdirSync(join(folder.path, name))
  const module = join(folder.path, 'tools/etcd')
  mkdirSync(module, { recursive: true })
  pin('3.6.16')
  writeFileSync(join(module, 'go.sum'), '')
})
afterEach(() => folder.remove())

const pin = (version: string) =>
  writeFileSync(join(folder.path, 'tools/etcd/go.mod'), `require go.etcd.io/etcd/server/v3 v${version} // indirect\n`)

function command(where: string, name: string, script: string): string {
  const path = join(folder.path, where, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

// A compiler for the tests: it takes a moment, counts its calls and writes what `-o` says.
const fakeGo = () =>
  command(
    'go',
    'go',
    `echo call >> "${folder.path}/calls"; sleep 0.3; while [ "$1" != -o ]; do shift; done; printf '#!/bin/sh\\necho built' > "$2"; chmod +x "$2"`,
  )

const ensure = () =>
  ensureBinary('etcd', {
    tools: join(folder.path, 'tools'),
    cache: join(folder.path, 'cache'),
    env: {
      PATH: `${folder.path}/path:${folder.path}/go:/bin:/usr/bin`,
      KUBEBUILDER_ASSETS: join(folder.path, 'assets'),
    },
    say: (line) => said.push(line),
  })

test('KUBEBUILDER_ASSETS goes before PATH', async () => {
  command('path', 'etcd', 'echo etcd Version: 3.6.2')
  const first = command('assets', 'etcd', 'echo etcd Version: 3.6.1')
  expect(await ensure()).toBe(first)
})

test('what is found elsewhere, or built, is in the cache under its plain name, also when it moves', async () => {
  const plain = join(folder.path, 'cache/etcd')
  const found = command('assets', 'etcd', 'echo etcd Version: 3.6.1')
  await ensure()
  expect(realpathSync(plain)).toBe(realpathSync(found))
  rmSync(found)
  fakeGo()
  const built = await ensure()
  expect(realpathSync(plain)).toBe(realpathSync(built))
  const next = command('path', 'etcd', 'echo etcd Version: 3.6.2')
  await ensure()
  expect(realpathSync(plain)).toBe(realpathSync(next))
})

test('a version that is not acceptable is passed over, and said so', async () => {
  const old = command('assets', 'etcd', 'echo etcd Version: 3.5.21')
  const good = command('path', 'etcd', 'echo etcd Version: 3.6.2')
  expect(await ensure()).toBe(good)
  command('path', 'etcd', 'exit 1')
  fakeGo()
  expect(await ensure()).toContain('etcd-v3.6.16')
  expect(said).toContain(`etcd: ${old} is 3.5.21, not used`)
  expect(said).toContain(`etcd: ${good} is of an unknown version, not used`)
})

test('what is found nowhere is built once, also when many ask at the same time', async () => {
  fakeGo()
  const paths = await Promise.all([ensure(), ensure(), ensure()])
  expect(new Set(paths).size).toBe(1)
  expect(said.filter((line) => line.includes('building (usually 35 s'))).toHaveLength(1)
  expect(readdirSync(join(folder.path, 'cache')).sort()).toEqual(['etcd', paths[0]?.split('/').at(-1)])
})

test('another pinned version is another build, and so is another version of what it is built from', async () => {
  fakeGo()
  const before = await ensure()
  appendFileSync(join(folder.path, 'tools/etcd/go.mod'), 'require go.uber.org/zap v1.27.0\n')
  const dependency = await ensure()
  expect(dependency).not.toBe(before)
  pin('3.6.17')
  expect(await ensure()).not.toBe(dependency)
  expect(existsSync(before)).toBe(false)
})

test('a failed build says what the compiler said and leaves nothing that looks like a binary', async () => {
  command('go', 'go', 'echo "missing go.sum entry" >&2; exit 1')
  await expect(ensure()).rejects.toThrow('missing go.sum entry')
  expect(readdirSync(join(folder.path, 'cache'))).toEqual([])
})

test('a lock whose holder is gone is taken over', async () => {
  fakeGo()
  mkdirSync(join(folder.path, 'cache'))
  writeFileSync(join(folder.path, 'cache/.etcd.lock'), '999999999')
  expect(existsSync(await ensure())).toBe(true)
})

test('the pinned versions are ones that would be accepted', () => {
  const tools = new URL('../../tools', import.meta.url).pathname
  for (const name of ['etcd', 'kube-apiserver', 'kubectl', 'nats-server', 'helm', 'kind']) {
    expect(isAcceptable(binaryNamed(name), pinned(binaryNamed(name), tools).version), name).toBe(true)
  }
})

test.each([
  ['kube-apiserver', '1.34.9', true],
  ['kube-apiserver', '1.35.0', false],
  ['kube-apiserver', '1.33.9', false],
  ['nats-server', '2.12.4', false],
  ['nats-server', '2.12.5', true],
  ['nats-server', '2.14.0', true],
  ['nats-server', '3.0.0', false],
  ['etcd', '3.6.0-rc.1', true],
])('%s %s may stand in for the pinned one: %s', (name, version, expected) => {
  expect(isAcceptable(binaryNamed(name), version)).toBe(expected)
})
