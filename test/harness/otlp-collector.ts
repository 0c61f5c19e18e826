import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  service: string
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  facts: Record<string, unknown>
  status: { code?: number; message?: string }
}

export interface Collector {
  endpoint: string
  spans: CollectedSpan[]
  /** Whatever came, as it came. */
  bodies: string[]
  requests: { url: string; headers: IncomingHttpHeaders }[]
  close(): Promise<void>
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<CollectedSpan, 'service' | 'facts'> & { attributes: Attribute[] })[] }[]
  }[]
}

const factsOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

function spansOf(body: string): CollectedSpan[] {
  return (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(factsOf(resource.attributes)['service.name'])
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, ...span }) => ({ ...span, service, facts: factsOf(attributes) }))
  })
}

/** What takes OTLP over HTTP as a collector does, on a free port; it answers with `status`. */
export async function startCollector(status = 200): Promise<Collector> {
  const [spans, bodies, requests]: [CollectedSpan[], string[], Collector['requests']] = [[], [], []]
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', headers: request.headers })
      bodies.push(body)
      spans.push(...spansOf(body))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies, requests, close }
}
