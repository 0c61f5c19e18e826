import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { NOTICE_PAGES_PATH, type NoticePage } from '#rates/published/notice-page.ts'
import { answerVersioned } from '../http/etag.ts'
import type { NoticePages } from '../load/follow-notice-pages.ts'

// A notice page runs no script and fetches nothing.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE =
  'body{font-family:sans-serif;font-size:15px;line-height:1.45;color:#1a1a1a;background:#fff;max-width:50em;margin:1em}' +
  'table{border-collapse:collapse;margin:0 0 4px}' +
  'td,th{border-bottom:1px solid #d0d0d0;padding:3px 16px 3px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  '.s{color:#595959;font-size:13px;margin:0 0 12px;overflow-wrap:anywhere}'

/**
 * Routes `GET /notices/{name}`, the full text of a notice. Anybody with the link from an e-mail may read it: readers of
 * e-mails have no token, the name cannot be guessed, and the text is public law.
 */
export function routeNoticePage(router: Router, pages: Pick<NoticePages, 'find'> | undefined): void {
  router.get(`${NOTICE_PAGES_PATH}/:name`, (ctx) => {
    ctx.state.operationId = 'getNoticePage'
    const name = String(ctx.params.name)
    const found = pages?.find(name)
    if (found === 'unknown') return sayWhy(ctx, 503, 'The text of this notice cannot be shown yet. Try again in a minute.')
    if (!found) return sayWhy(ctx, 404, 'The text of this notice is no longer kept. Answer the e-mail to get it.')
    const codes = codesIn(ctx)
    answer(ctx, documentOf(found, codes), `${name} ${[...codes].join(',')}`)
  })
}

/** The pricing codes that the reader's client subscribes to; empty: all. */
const codesIn = ({ query }: Context): ReadonlySet<string> =>
  new Set(
    String(query.codes ?? '')
      .split(',')
      .filter((code) => code !== ''),
  )

function documentOf({ title, opening, sections }: NoticePage, codes: ReadonlySet<string>): string {
  const own = sections.filter(({ pricingCode }) => codes.size === 0 || codes.has(pricingCode))
  return htmlOf(title, [`<p>${escaped(opening)}</p>`, ...own.map(({ html }) => html)].join('\n'))
}

const htmlOf = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escaped(title)}</title><style>${STYLE}</style></head>\n<body><h1>${escaped(title)}</h1>\n${body}\n</body></html>\n`

function sayWhy(ctx: Context, status: number, why: string): void {
  ctx.status = status
  if (status === 503) ctx.set('retry-after', '5')
  setHeaders(ctx)
  ctx.set('cache-control', 'no-store')
  ctx.body = htmlOf('Notice', `<p>${why}</p>`)
}

function answer(ctx: Context, text: string, version: string): void {
  setHeaders(ctx)
  answerVersioned(ctx, text, version)
}

function setHeaders(ctx: Context): void {
  ctx.type = 'text/html; charset=utf-8'
  ctx.set('content-security-policy', POLICY)
  ctx.set('x-content-type-options', 'nosniff')
  ctx.set('referrer-policy', 'no-referrer')
  // Search engines must not index a link that somebody passes on.
  ctx.set('x-robots-tag', 'noindex')
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
