export type TraceFacts = Readonly<Record<string, string | number | boolean>>

/** One unit of work in a trace: a span of OpenTelemetry. */
export interface Trace {
  /** 32 hexadecimal digits, the same for everything that one request causes. */
  traceId: string
  /** The W3C Trace Context header with which other programs continue the trace. */
  traceparent: string
  /** Begins a part of this work. */
  begin(name: string): Trace
  note(facts: TraceFacts): void
  /**
   * Ends the work. `failure` says in fixed words why it failed, and never contains request data or a library's message.
   */
  end(failure?: string): void
  rename(name: string): void
}

export interface Beginning {
  kind: 'server' | 'consumer'
  /** The `traceparent` of the caller; any invalid value begins a new trace. */
  parent?: string | undefined
  facts: TraceFacts
}

export interface Tracing {
  begin(name: string, beginning: Beginning): Trace
  /** Sends the ended spans. */
  stop(): Promise<void>
}

/** Runs a part of the traced work; without a trace, only runs it. */
export async function step<T>(trace: Trace | undefined, name: string, run: () => Promise<T>): Promise<T> {
  if (!trace) return run()
  const part = trace.begin(name)
  try {
    const result = await run()
    part.end()
    return result
  } catch (error) {
    part.end('failed')
    throw error
  }
}
