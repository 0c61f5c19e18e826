import type { YAMLSeq } from 'yaml'
import type { QuoteCase } from '../files/cases.ts'
import { moveGiven, moveGivenIn, type Way } from './move-request.ts'
import { moveText, type YearMove } from './years.ts'
import { mapsAt, valueAt, YamlText } from './yaml-text.ts'

const ruleIdOf = (id: string, { from, to }: YearMove) =>
  id.endsWith(`_FY${from.slice(-2)}`) ? `${id.slice(0, -2)}${to.slice(-2)}` : id

/** A case a year later; every grade that it expects becomes the grade of a carried-over figure. */
export function moveCase(one: QuoteCase, way: Way, move: YearMove): QuoteCase {
  const { evidence, ruleIds } = one
  const each = <T>(record: Record<string, T>, change: (value: T) => T) =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
  return {
    ...one,
    name: moveText(one.name, move),
    request: moveGiven(one.request, way, move),
    ruleIds: each(ruleIds, (id) => ruleIdOf(id, move)),
    ...(evidence !== undefined && { evidence: each(evidence, () => 'estimate') }),
  }
}

/** The text of a file with only some of its cases, moved to the next year; `moved` has these cases by position. */
export function nextCasesText(text: string, moved: ReadonlyMap<number, QuoteCase>, move: YearMove): string {
  const yaml = new YamlText(text)
  yaml.editHead((comment) => moveText(comment, move))
  const heading = (comment: string) => moveText(comment, move)
  yaml.keep(valueAt(yaml.top, 'cases') as YAMLSeq, (position) => moved.has(position), heading)
  for (const [position, node] of mapsAt(yaml.top, 'cases').entries()) {
    const one = moved.get(position)
    if (!one) continue
    yaml.set(node, 'name', one.name)
    moveGivenIn(yaml, valueAt(node, 'request'), one.request)
    const expected = valueAt(node, 'expect')
    for (const [component, id] of Object.entries(one.ruleIds)) yaml.set(valueAt(expected, 'ruleIds'), component, id)
    for (const [component, grade] of Object.entries(one.evidence ?? {}))
      yaml.set(valueAt(expected, 'evidence'), component, grade)
  }
  return yaml.toString()
}
