import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LineCounter, parseDocument, isMap, isSeq } from 'yaml'

/** Mutants that no quote can tell from the set, with the reason. */
export interface Equivalent {
  set: RegExp
  path: RegExp
  operator: RegExp
  reason: string
  line: number
}

/** The entries of equivalents.yaml; throws naming the line of one that is not whole. */
export function readEquivalents(file = join(import.meta.dirname, 'equivalents.yaml')): Equivalent[] {
  const lines = new LineCounter()
  const { contents } = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines })
  if (!isSeq(contents)) return []
  return contents.items.map((item) => {
    const line = isMap(item) && item.range ? lines.linePos(item.range[0]).line : 0
    const entry = isMap(item) ? (item.toJSON() as Record<string, unknown>) : {}
    const { set = '.', path = '', operator = '.', reason } = entry
    if (typeof reason !== 'string' || path === '') throw new Error(`${file}:${line}: expected path and reason`)
    const whole = (pattern: unknown) => new RegExp(`^(?:${String(pattern)})$`)
    return {
      set: whole(set === '.' ? '.*' : set),
      path: whole(path),
      operator: whole(operator === '.' ? '.*' : operator),
      reason,
      line,
    }
  })
}
