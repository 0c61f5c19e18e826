import type { Context } from 'koa'

/** When an operation is deprecated, when it is removed, and where this is explained. */
export interface Retirement {
  /** A Unix time (RFC 9745). */
  deprecation: string
  /** An HTTP date (RFC 8594). */
  sunset: string
  /** A Link with the relation `deprecation`; undefined when there is no page. */
  link: string | undefined
}

interface Described {
  operationId?: string | undefined
  deprecated?: boolean | undefined
  'x-deprecated-from'?: string
  'x-sunset'?: string
  'x-deprecation-page'?: string
}

/**
 * The retirement of an operation in the contract: `deprecated: true` with the days `x-deprecated-from` and `x-sunset`,
 * and optionally the address `x-deprecation-page`. Throws when the days are missing, because clients could not plan.
 */
export function retirementOf(operation: object): Retirement | undefined {
  const { operationId, deprecated, ...described } = operation as Described
  if (!deprecated) return undefined
  const [from, sunset] = [described['x-deprecated-from'], described['x-sunset']].map(
    (day) => new Date(`${day}T00:00:00Z`),
  )
  if (!from || !sunset || Number.isNaN(from.getTime()) || !(sunset > from)) {
    throw new Error(`${operationId} is deprecated: expected the days x-deprecated-from and, later, x-sunset`)
  }
  const page = described['x-deprecation-page']
  return {
    deprecation: `@${from.getTime() / 1000}`,
    sunset: sunset.toUTCString(),
    link: page === undefined ? undefined : `<${page}>; rel="deprecation"; type="text/html"`,
  }
}

type Handle = (ctx: Context) => Promise<void>

/**
 * Wraps the handler of an operation so that every answer announces its retirement; the handler itself when the
 * operation stays.
 */
export function announcing(retirement: Retirement | undefined, handle: Handle): Handle {
  if (!retirement) return handle
  const { deprecation, sunset, link } = retirement
  return (ctx) => {
    ctx.set('deprecation', deprecation)
    ctx.set('sunset', sunset)
    if (link !== undefined) ctx.append('link', link)
    return handle(ctx)
  }
}
