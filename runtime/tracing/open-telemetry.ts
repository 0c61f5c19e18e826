import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api'
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../log.ts'
import type { Trace, TraceFacts, Tracing } from './trace.ts'

export interface TracingOptions {
  /** Address of a collector, without the path: `http://collector:4318`. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** Share of the traces that start here, in per cent, that are kept. */
  percent: number
  /** Whether the caller decides that a trace is kept. Callers from outside do not, because we bear the cost. */
  followsCaller: boolean
  service: string
  version: string
  instance: string
  log: Logger
}

/** Longest time that a slow collector may delay the work or the exit of a process, in milliseconds. */
const EXPORT_MS = 5_000
const STOP_MS = 2_000
const LONGEST_FACT = 256
const FAILED = 'traces could not be sent'

/**
 * Tracing with OpenTelemetry, sent with OTLP over HTTP. There is no automatic instrumentation: a trace contains only
 * what our code records.
 */
export function createTracing(options: TracingOptions): Tracing {
  const { version, log } = options
  const provider = providerOf(options)
  const tracer = provider.getTracer('driveaway', version)
  const begin = (name: string, kind: SpanKind, parent: Context, facts: TraceFacts): Trace => {
    const span = tracer.startSpan(name, { kind, attributes: facts }, parent)
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      begin: (part) => begin(part, SpanKind.INTERNAL, trace.setSpan(parent, span), {}),
      note: (noted) => void span.setAttributes(noted),
      rename: (better) => void span.updateName(better),
      end: (failure) => {
        if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
        span.end()
      },
    }
  }
  return {
    begin: (name, { kind, parent, facts }) =>
      begin(name, kind === 'server' ? SpanKind.SERVER : SpanKind.CONSUMER, contextOf(parent), facts),
    stop: async () => {
      // Failures at the end are logged like any others.
      const ended = provider.shutdown().catch(() => undefined)
      const gaveUp = sleep(STOP_MS, 'gave up' as const, { ref: false })
      if ((await Promise.race([ended, gaveUp])) === 'gave up') log.warn({ reason: 'no answer in time' }, FAILED)
    },
  }
}

function providerOf(options: TracingOptions): TracerProvider {
  const { endpoint, headers, service, version, instance, log } = options
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS })
  return new TracerProvider({
    resource: resourceFromAttributes({
      'service.namespace': 'driveaway',
      'service.name': service,
      'service.version': version,
      'service.instance.id': instance,
    }),
    sampler: samplerOf(options),
    spanLimits: { attributeValueLengthLimit: LONGEST_FACT },
    spanProcessors: [new BatchSpanProcessor({ exporter: telling(exporter, log), exportTimeoutMillis: EXPORT_MS })],
  })
}

function samplerOf({ percent, followsCaller }: TracingOptions): ParentBasedSampler {
  const share = new TraceIdRatioBasedSampler(percent / 100)
  return new ParentBasedSampler({ root: share, ...(!followsCaller && { remoteParentSampled: share }) })
}

function contextOf(traceparent: string | undefined): Context {
  const parsed = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parsed ? trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true }) : ROOT_CONTEXT
}

/** Logs what could not be sent, which is lost; the exporter itself would log nothing. */
function telling(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        // Only the message: an error of the exporter also contains the collector's answer.
        const reason = result.error?.message.slice(0, LONGEST_FACT)
        if (result.code !== ExportResultCode.SUCCESS) log.warn({ reason, spans: spans.length }, FAILED)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
  }
}
