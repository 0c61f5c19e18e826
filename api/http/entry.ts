import { readFile } from 'node:fs/promises'
import type { Router } from '@koa/router'
import { answerVersioned } from './etag.ts'

const GUIDE = new URL('../../docs/quickstart.md', import.meta.url)

/** The addresses of the service, all on this server. */
export interface Entry {
  service: string
  specification: '/spec'
  reference: '/docs'
  guide: '/docs/guide'
}

/** Routes `GET /`, which lists where to start, and `GET /docs/guide`, the first steps of a client. */
export function routeEntry(router: Router, service: string): void {
  const entry: Entry = { service, specification: '/spec', reference: '/docs', guide: '/docs/guide' }
  router.get('/', (ctx) => {
    ctx.state.operationId = 'getEntry'
    answerVersioned(ctx, entry, service)
  })
  let guide: Promise<string> | undefined
  router.get('/docs/guide', async (ctx) => {
    ctx.state.operationId = 'getGuide'
    const text = await (guide ??= readFile(GUIDE, 'utf8'))
    ctx.type = 'text/markdown; charset=utf-8'
    answerVersioned(ctx, text, text)
  })
}
