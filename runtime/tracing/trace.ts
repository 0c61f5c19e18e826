export type TraceFacts = Readonly<Record<string, string | number | boolean>>

/** One piece of work in a trace: a span of OpenTelemetry. */
export interface Trace {
  /** 32 hexadecimal digits, the same for everything that follows from one request. */
  traceId: string
  /** The header of W3C Trace Context by which others continue the trace. */
  traceparent: string
  /** A part of this work. */
  begin(name: string): Trace
  note(facts: TraceFacts): void
  /** `failure` says in fixed words that the work failed: never what was sent, and never the message of a library. */
  end(failure?: string): void
  rename(name: string): void
}

export interface Beginning {
  kind: 'server' | 'consumer'
  /** What the caller sent as `traceparent`; anything that is none begins a trace. */
  parent?: string | undefined
  facts: TraceFacts
}

export interface Tracing {
  begin(name: string, beginning: Beginning): Trace
  /** Sends what has ended. */
  stop(): Promise<void>
}

/** Does a part of the work that is traced; where nothing is traced it is only done. */
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
