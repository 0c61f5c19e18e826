import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { pageFiles, type PageFile } from '#explorer/page-files.ts'
import { SECURITY } from '#explorer/security.ts'
import { servedOf } from '#explorer/served.ts'
import type { Snapshot } from '#rates/engine/snapshot.ts'
import { answerVersioned } from '../http/etag.ts'
import type { HeldRates } from '../load/held.ts'
import type { Releases } from '../releases/releases.ts'
import { createExploredReleases } from './explored-releases.ts'

/** Who may look at the rates in the explorer. */
export type ExplorerAccess = 'clients' | 'public'

export interface ExplorerServices {
  /** What the page calls the rates, such as the host of this API. */
  label: string
  /** The rates for this caller; throws ApiError where the caller may not see them, or where none are loaded. */
  ratesFor: (ctx: Context) => HeldRates | Promise<HeldRates>
  /** The other releases, whose curves can be added. */
  releases: Pick<Releases, 'list' | 'content'>
  /** Milliseconds after which an open page asks for newer rates. */
  followEveryMs: number
}

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Routes `/explore/`: the page is for everybody, because it has no rates; the rates are for whom `ratesFor` admits. */
export async function routeExplorer(router: Router, services: ExplorerServices): Promise<void> {
  const compressed = compressOnce(services)
  // The addresses in the page are relative to its folder; so is this one, for a proxy that adds a path.
  router.get('/explore', (ctx) => ctx.redirect('explore/'))
  for (const [path, file] of await pageFiles()) router.get(`/explore${path}`, (ctx) => answerFile(ctx, file))
  router.get('/explore/rates.json', async (ctx) => {
    const { snapshot } = await services.ratesFor(ctx)
    await answerCompressed(ctx, await compressed(snapshot), snapshot.release)
  })
  routeReleases(router, services)
}

function routeReleases(router: Router, { ratesFor, releases }: ExplorerServices): void {
  const explored = createExploredReleases(releases)
  router.get('/explore/releases.json', async (ctx) => {
    const text = JSON.stringify(explored.list(await ratesFor(ctx)))
    answer(ctx, { type: 'application/json', content: Buffer.from(text) }, text)
  })
  router.get('/explore/releases/:release', async (ctx) => {
    const { release = '' } = (ctx as { params?: Record<string, string> }).params ?? {}
    await answerCompressed(ctx, await explored.compressed(release, await ratesFor(ctx)), release)
  })
}

/** Answers with JSON that is compressed already. */
async function answerCompressed(ctx: Context, content: Buffer, version: string): Promise<void> {
  const isAccepted = ctx.acceptsEncodings('gzip') === 'gzip'
  if (isAccepted) ctx.set('content-encoding', 'gzip')
  const body = isAccepted ? content : await decompress(content)
  answer(ctx, { type: 'application/json', content: body }, `${version} ${isAccepted}`)
}

const answerFile = (ctx: Context, file: PageFile) => answer(ctx, file, file.content.toString('base64'))

function answer(ctx: Context, { type, content }: PageFile, version: string): void {
  ctx.state.operationId = 'getExplorer'
  ctx.set({ ...SECURITY })
  ctx.type = type
  answerVersioned(ctx, content, version)
}

/** The rates of a snapshot as the page reads them: a megabyte, compressed once for each release. */
function compressOnce({ label, followEveryMs }: ExplorerServices): (snapshot: Snapshot) => Promise<Buffer> {
  const done = new WeakMap<Snapshot, Promise<Buffer>>()
  return (snapshot) => {
    const known = done.get(snapshot)
    if (known) return known
    const served = servedOf(label, snapshot, { faults: [], outdated: false, followEveryMs, hasReleases: true })
    const content = compress(JSON.stringify(served))
    done.set(snapshot, content)
    return content
  }
}
