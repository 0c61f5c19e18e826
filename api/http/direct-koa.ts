import Koa, { type Context } from 'koa'

/** Runs the middleware of an application on one request. */
type Run = (ctx: Context) => Promise<void>

/** The part of Koa that its types leave out. */
interface Handling {
  handleRequest(ctx: Context, run: Run): Promise<void>
}

const { handleRequest } = Koa.prototype as unknown as Handling

/**
 * Koa without its work for answers that an operation has written itself (`ctx.respond === false`): for every request Koa
 * follows the socket to the end of the answer, which costs as much as a token check and a validation.
 */
export class DirectKoa extends Koa {
  async handleRequest(ctx: Context, run: Run): Promise<void> {
    // As Koa does: the router leaves the status of an unknown path alone.
    ctx.res.statusCode = 404
    let failure: Error | undefined
    try {
      await run(ctx)
      if (ctx.respond === false) return
    } catch (thrown) {
      failure = thrown as Error
    }
    const { statusCode } = ctx.res
    await handleRequest.call(this, ctx, async () => {
      if (failure) throw failure
      ctx.res.statusCode = statusCode
    })
  }
}
