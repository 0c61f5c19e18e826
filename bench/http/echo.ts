import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { koaBody } from 'koa-body'

// The work of any Koa server with a JSON body: parse it and write an answer.
const app = new Koa()
app.use(koaBody({ jsonLimit: '1mb' }))
app.use((ctx) => {
  ctx.body = (ctx.request as { body?: unknown }).body
})
const server = createServer(app.callback())
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
