import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { answerVersioned } from './etag.ts'

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'favicon-32x32.png': 'image/png',
}

// Swagger UI writes style attributes; nothing else of the page is inline, and everything is loaded from this server.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Driveaway reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript; the specification itself is at <a href="/spec">/spec</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({
  url: '/spec',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
})
`

/** Routes `GET /docs`, the interactive reference of `/spec`, which consists of local files only. */
export function routeReference(router: Router): void {
  router.get('/docs', (ctx) => answer(ctx, 'text/html', PAGE, PAGE))
  router.get('/docs/start.js', (ctx) => answer(ctx, 'text/javascript', START, START))
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
  const { version } = require('swagger-ui-dist/package.json') as { version: string }
  for (const [name, type] of Object.entries(FILES)) {
    let content: Promise<Buffer> | undefined
    router.get(`/docs/${name}`, async (ctx) => {
      answer(ctx, type, await (content ??= readFile(join(folder, name))), `${version} ${name}`)
    })
  }
}

function answer(ctx: Context, type: string, body: string | Buffer, version: string): void {
  ctx.state.operationId = 'getReference'
  ctx.set('content-security-policy', POLICY)
  ctx.set('x-content-type-options', 'nosniff')
  ctx.set('referrer-policy', 'no-referrer')
  ctx.type = type
  answerVersioned(ctx, body, version)
}
