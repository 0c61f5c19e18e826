import { hostname } from 'node:os'
import { versionHere } from '../build-info.ts'
import { integer, text, type Setting } from '../configuration.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from './trace.ts'

type Headers = Readonly<Record<string, string>>

/**
 * The environment variables of tracing, the same for every program that traces. OpenTelemetry's names are used for the
 * first two.
 */
export const tracingVariables = {
  otlpEndpoint: address(text({ env: 'OTEL_EXPORTER_OTLP_ENDPOINT', default: '' })),
  otlpHeaders: headerList('OTEL_EXPORTER_OTLP_HEADERS'),
  tracePercent: integer({ env: 'TRACE_PERCENT', default: 10, min: 0, max: 100 }),
}

/** The values of `tracingVariables`. */
export interface TracingConfiguration {
  /** Address of a collector that accepts OTLP over HTTP; empty: no tracing. */
  otlpEndpoint: string
  otlpHeaders: Headers
  /** Share of the traces that start in this program, in per cent, that are kept. */
  tracePercent: number
}

/** Starts the tracing of a program. Undefined without a collector; OpenTelemetry is then not loaded. */
export async function startTracing(
  { otlpEndpoint: endpoint, otlpHeaders: headers, tracePercent: percent }: TracingConfiguration,
  { service, followsCaller, log }: { service: string; followsCaller: boolean; log: Logger },
): Promise<Tracing | undefined> {
  if (endpoint === '') return undefined
  const { createTracing } = await import('./open-telemetry.ts')
  const about = { service, version: versionHere(), instance: `${hostname()}-${process.pid}`, log }
  return createTracing({ endpoint, headers, percent, followsCaller, ...about })
}

function address(setting: Setting<string>): Setting<string> {
  const parse = (value: string): string | undefined => {
    const url = URL.parse(value)
    const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
    return isPlain ? value : undefined
  }
  return { ...setting, parse, isSecret: true, expected: 'http://host:port or https://host:port, without a login' }
}

/** `name=value` pairs separated by commas, in OpenTelemetry's format: usually the credential for the collector. */
function headerList(env: string): Setting<Headers> {
  const parse = (value: string): Headers | undefined => {
    const pairs = value.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([\x20-\x7e]+?)\s*$/.exec(pair))
    if (pairs.some((pair) => pair === null)) return undefined
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decoded(pair![2]!)]))
  }
  return { env, fallback: {}, parse, isSecret: true, expected: 'name=value, with commas between several' }
}

/** Decodes a value, which may be percent-encoded so that it can contain a comma. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
