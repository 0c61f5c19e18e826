import { join } from 'node:path'
import { build } from 'esbuild'

/** Bundles the programs of the page. Throws Error when they do not compile. */
export async function buildPrograms(): Promise<Buffer> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page/main.ts')],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2024',
    logLevel: 'silent',
  })
  return Buffer.from(outputFiles[0]!.contents)
}
