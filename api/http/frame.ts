import type { Middleware } from 'koa'
import type { Logger } from '#runtime/log.ts'
import { answerError, rejectUnanswered } from './error-answers.ts'
import type { Measured } from './measure.ts'
import { giveRequestId } from './request-id.ts'

/** What every application of ours does around its routes. */
export interface AppServices {
  log: Logger
  /** Made once for all applications of the process. */
  measured: Measured
}

/** Gives each answer a request id, answers every error with the contract's body, and measures: one layer, for each costs. */
export function frame({ log, measured }: AppServices): Middleware {
  return async (ctx, next) => {
    const start = performance.now()
    giveRequestId(ctx)
    try {
      await next()
      rejectUnanswered(ctx)
    } catch (thrown) {
      answerError(ctx, thrown, log)
    }
    measured(ctx, performance.now() - start)
  }
}
