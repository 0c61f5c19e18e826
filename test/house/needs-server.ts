import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** Files of the tests that start a server, a program or a browser. */
const STARTS = /^test\/(harness\/(control-plane|nats|programs|mail-server|oidc-issuer|chromium|half-open|tcp-gate)|api\/pricing-server)\.ts$/
/** What a file says that starts one itself. */
const STARTING = /node:child_process|createServer|\.listen\(|startHttp|serve[A-Z]\w*\(/

const sources = new Map<string, string>()

function sourceOf(file: string): string {
  const path = join(ROOT, file)
  const known = sources.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8') : '')
  sources.set(file, known)
  return known
}

/** The files of test/ that a file imports. */
function importsOf(file: string): string[] {
  const specifiers = [...sourceOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!)
  return specifiers.map((one) => normalize(join(dirname(file), one))).filter((one) => one.startsWith('test/'))
}

/** Whether a test, or what it imports of the tests, starts a server. */
export function needsServer(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  return STARTS.test(file) || STARTING.test(sourceOf(file)) || importsOf(file).some((one) => needsServer(one, seen))
}

/** The tests that need no server, relative to the repository. */
export const serverless = (): string[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.startsWith('e2e'))
    .map((file) => join('test', file))
    .filter((file) => !needsServer(file))
