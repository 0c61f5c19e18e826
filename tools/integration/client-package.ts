import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import ts from 'typescript'

/** One API of the package: the name of its entry point, and its OpenAPI document. */
export interface ClientSource {
  name: string
  document: object
}

const README = `# @driveaway/client

Typed clients of the Driveaway APIs, generated from their OpenAPI documents; no dependency, ESM, Node 20 and later and browsers.

\`\`\`ts
import { client, createQuote } from '@driveaway/client/pricing'

client.setConfig({ baseUrl: 'https://pricing.example', auth: () => token })
const { data, error } = await createQuote({ body: request })
\`\`\`
`

/**
 * Writes the package `@driveaway/client` into a folder, with one entry point per API, and packs it. Returns the path of
 * the archive.
 */
export async function writeClientPackage(
  sources: readonly ClientSource[],
  { folder, version, into }: { folder: string; version: string; into: string },
): Promise<string> {
  for (const { name, document } of sources) await generate(document, join(folder, 'src', name))
  compile(
    sources.map(({ name }) => join(folder, 'src', name, 'entry.ts')),
    join(folder, 'lib'),
  )
  const entry = (name: string) => [
    `./${name}`,
    { types: `./lib/${name}/entry.d.ts`, default: `./lib/${name}/entry.js` },
  ]
  const manifest = {
    name: '@driveaway/client',
    version,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    files: ['lib', 'README.md'],
    exports: Object.fromEntries(sources.map(({ name }) => entry(name))),
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), README)
  mkdirSync(into, { recursive: true })
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], { cwd: folder, encoding: 'utf8' })
  return join(into, (JSON.parse(packed) as { filename: string }[])[0]!.filename)
}

async function generate(document: object, path: string): Promise<void> {
  await createClient({
    input: document as Record<string, unknown>,
    output: { path, module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/typescript', '@hey-api/client-fetch', '@hey-api/sdk'],
  })
  const entry = ["export * from './index.ts'", "export { client } from './client.gen.ts'", '']
  writeFileSync(join(path, 'entry.ts'), entry.join('\n'))
}

function compile(entries: readonly string[], outDir: string): void {
  const options: ts.CompilerOptions = {
    outDir,
    rootDir: join(outDir, '../src'),
    declaration: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    rewriteRelativeImportExtensions: true,
  }
  const { diagnostics } = ts.createProgram(entries, options).emit()
  const faults = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
  if (faults.length > 0) throw new Error(`the client does not compile: ${faults.join('; ')}`)
}
