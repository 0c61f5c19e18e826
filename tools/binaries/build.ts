import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { linkerFlags, pinned, type Binary } from './catalog.ts'
import { isExecutable } from './locate.ts'
import { withLock } from './lock.ts'

export interface Workshop {
  /** The folder that contains the Go modules. */
  tools: string
  /** The folder of the built binaries. */
  cache: string
  env: NodeJS.ProcessEnv
  say: (line: string) => void
}

const tickMs = 15_000

/** The cached binary of the pinned version; built now if it is missing. Many processes may call this at once. */
export async function buildOnce(binary: Binary, workshop: Workshop): Promise<string> {
  const { version, fileName } = pinned(binary, workshop.tools)
  const path = join(workshop.cache, fileName)
  if (isExecutable(path)) return path
  mkdirSync(workshop.cache, { recursive: true })
  const waiting = (pid: number) => workshop.say(`${binary.name}: process ${pid} is building it already, waiting`)
  return withLock(join(workshop.cache, `.${binary.name}.lock`), waiting, async () => {
    // Another process may have built it meanwhile.
    if (!isExecutable(path)) await build(binary, version, path, workshop)
    return path
  })
}

async function build(binary: Binary, version: string, path: string, workshop: Workshop) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const usual = `usually ${binary.usualSeconds} s plus download, once`
  workshop.say(`${binary.name} v${version}: building (${usual})`)
  const tick = setInterval(() => workshop.say(`${binary.name} v${version}: still building, ${seconds()} s`), tickMs)
  const temporary = `${path}.${process.pid}.tmp`
  try {
    await goBuild(binary, linkerFlags(binary, version), temporary, workshop)
    renameSync(temporary, path)
    removeOlder(binary.name, path, workshop.cache)
  } finally {
    clearInterval(tick)
    rmSync(temporary, { force: true })
  }
  workshop.say(`${binary.name} v${version}: built in ${seconds()} s`)
}

function goBuild(binary: Binary, flags: string, output: string, { tools, env }: Workshop) {
  const child = spawn(
    'go',
    ['build', '-trimpath', '-buildvcs=false', '-mod=readonly', '-ldflags', flags, '-o', output, binary.goPackage],
    {
      cwd: join(tools, binary.module),
      env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  return finished(child, binary.name)
}

async function finished(child: ReturnType<typeof spawn>, name: string): Promise<void> {
  let tail = ''
  child.stderr?.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-4000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(goMissing(name)) : error),
    )
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${name}: go build failed with ${code ?? 'a signal'}\n${tail}`)
}

function goMissing(name: string): string {
  return (
    `${name} is not in KUBEBUILDER_ASSETS, not on PATH and not built yet, and the command "go" that would build it ` +
    'is missing. Install Go (https://go.dev/dl), or point KUBEBUILDER_ASSETS at a folder with the binaries.'
  )
}

function removeOlder(name: string, path: string, cache: string) {
  const older = readdirSync(cache).filter((each) => each.startsWith(`${name}-v`) && join(cache, each) !== path)
  for (const each of older) rmSync(join(cache, each), { force: true })
}
