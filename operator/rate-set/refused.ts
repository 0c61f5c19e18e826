import { SHARD_REFUSED, type RefusedShards } from '../publish/refused-shards.ts'
import type { MakeEvaluate } from './assignment.ts'

/** Adds a fault for each new content whose shard the server refuses; `refused` has the messages by set name. */
export function guardRefused(evaluate: MakeEvaluate, refused: RefusedShards): MakeEvaluate {
  if (refused.size === 0) return evaluate
  return (contents) => {
    const check = evaluate(contents)
    return async (name, assignment) => {
      const message = assignment.get(name) === 'new' ? refused.get(name) : undefined
      return message === undefined ? check(name, assignment) : [{ check: SHARD_REFUSED, path: '', message }]
    }
  }
}
