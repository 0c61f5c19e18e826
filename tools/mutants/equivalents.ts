import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LineCounter, parseDocument, isMap, isSeq } from 'yaml'

/** Mutants that no quote can distinguish from the set, and the reason. */
export interface Equivalent {
  set: RegExp
  path: RegExp
  operator: RegExp
  reason: string
  line: number
}

const KEYS = new Set(['set', 'path', 'operator', 'reason'])

/** The entries of equivalents.yaml; throws naming the line of an incomplete entry. */
export function readEquivalents(file = join(import.meta.dirname, 'equivalents.yaml')): Equivalent[] {
  const lines = new LineCounter()
  const { contents } = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines })
  if (!isSeq(contents)) return []
  return contents.items.map((item) => {
    const line = isMap(item) && item.range ? lines.linePos(item.range[0]).line : 0
    const entry = isMap(item) ? (item.toJSON() as Record<string, unknown>) : {}
    const { set, path, operator = '**', reason } = entry
    const isWhole = [set, path, operator, reason].every((text) => typeof text === 'string' && text !== '')
    if (!isWhole || Object.keys(entry).some((key) => !KEYS.has(key)))
      throw new Error(`${file}:${line}: expected set, path and reason, and at most an operator`)
    const [ofSet, ofPath, ofOperator] = [set, path, operator].map((text) => patternOf(String(text)))
    return { set: ofSet!, path: ofPath!, operator: ofOperator!, reason: String(reason), line }
  })
}

/**
 * Matches the whole text: a dot is literal, `*` is any single step, `**` is anything; `(this|that)?` and `[0-2]` have
 * their usual meaning.
 */
export function patternOf(text: string): RegExp {
  const any = text.replaceAll('.', '\\.').replaceAll('**', '.+').replaceAll('*', '[^.]+')
  return new RegExp(`^(?:${any})$`)
}
