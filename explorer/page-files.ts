import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, 'page')

/** The bundle of the installed command. A checkout has none, so that edits of the page take effect. */
export const BUNDLE = 'main.js'

/** A file that the server sends to the page. */
export interface PageFile {
  type: string
  content: Buffer
}

/** The files of the page, by path. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const read = (name: string) => readFileSync(join(PAGE, name))
  const isBuilt = existsSync(join(PAGE, BUNDLE))
  const programs = isBuilt ? read(BUNDLE) : await import('./build.ts').then(({ buildPrograms }) => buildPrograms())
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', content: read('index.html') }],
    ['/style.css', { type: 'text/css; charset=utf-8', content: read('style.css') }],
    ['/offline.js', { type: 'text/javascript; charset=utf-8', content: read('offline.js') }],
    ['/main.js', { type: 'text/javascript; charset=utf-8', content: programs }],
  ])
}
