import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const PAGE = join(import.meta.dirname, 'page')

/** A file of the page as it is served. */
export interface PageFile {
  type: string
  content: Buffer
}

/** The files of the page by their path; the programs are one bundle. Throws Error where they do not compile. */
export async function buildPage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, 'main.ts')],
    ...{ bundle: true, write: false, minify: true, format: 'esm', target: 'es2024', logLevel: 'silent' },
  })
  const read = (name: string) => readFileSync(join(PAGE, name))
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: read('index.html') }],
    ['/style.css', { type: 'text/css; charset=utf-8', content: read('style.css') }],
    ['/main.js', { type: 'text/javascript; charset=utf-8', content: Buffer.from(outputFiles[0]!.contents) }],
  ])
}
