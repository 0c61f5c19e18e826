import type { YAMLMap, YAMLSeq } from 'yaml'
import { yearDates } from '../engine/dates.ts'
import { rateSetName } from '../published/financial-year.ts'
import { carriedOverWarning } from './carried-over.ts'
import { moveGiven, moveGivenIn, type Way } from './move-request.ts'
import { moveText, reviewBefore, type YearMove } from './years.ts'
import { mapsAt, textAt, valueAt, YamlText } from './yaml-text.ts'

/** How each example of a set moves, by its position; undefined for an example that is left out. */
export type ExampleWays = (position: number) => Way | undefined

/**
 * The text of next year's rate set: what is in force on the last day of the year, for the whole of the next year. Each
 * figure becomes an estimate whose warning says that it is carried over. Rules, values and concessions that ended
 * before that day are left out.
 */
export function nextSetText(text: string, move: YearMove, examples: ExampleWays): string {
  const yaml = new YamlText(text)
  const spec = valueAt(yaml.top, 'spec') as YAMLMap
  yaml.editHead((comment) => moveText(comment, move))
  yaml.set(valueAt(yaml.top, 'metadata'), 'name', rateSetName(textAt(spec, 'pricingCode')!, move.to))
  yaml.set(spec, 'financialYear', move.to)
  // Both keys are orders about publishing this year's set: a new set is neither withdrawn nor pinned.
  for (const order of ['pin', 'withdrawn']) yaml.remove(spec, order)
  const set = new NextSet(yaml, move)
  for (const list of ['offers.registrationTypes', 'rules', 'concessions']) set.keepInForce(spec, list.split('.'))
  for (const parameter of mapsAt(spec, 'parameters')) set.moveParameter(parameter)
  for (const scale of mapsAt(spec, 'termScales')) set.markTerms(scale)
  for (const rule of mapsAt(spec, 'rules')) if (set.lasts(rule)) set.moveRule(rule)
  for (const concession of mapsAt(spec, 'concessions')) if (set.lasts(concession)) set.moveConcession(concession)
  set.moveExamples(spec, examples)
  return yaml.toString()
}

class NextSet {
  readonly #yaml: YamlText
  readonly #move: YearMove

  constructor(yaml: YamlText, move: YearMove) {
    this.#yaml = yaml
    this.#move = move
  }

  /** Whether a part with dates is in force on the last day of the year. */
  lasts(part: YAMLMap): boolean {
    const { endDate } = yearDates(this.#move.from)
    return (textAt(part, 'endDate') ?? endDate) >= endDate
  }

  /**
   * Keeps the parts of a list that are in force on the last day, and moves their dates to the bounds of the next year.
   */
  keepInForce(node: YAMLMap, keys: string[]): void {
    const parts = mapsAt(node, ...keys)
    if (parts.length === 0) return
    this.#yaml.keep(valueAt(node, ...keys) as YAMLSeq, (position) => this.lasts(parts[position]!))
    const { startDate, endDate } = yearDates(this.#move.to)
    for (const part of parts.filter((each) => this.lasts(each))) {
      this.#yaml.set(part, 'startDate', startDate)
      // A part that ends after the year, because its law says so, keeps its last day.
      if ((textAt(part, 'endDate') ?? '') <= yearDates(this.#move.from).endDate) this.#yaml.set(part, 'endDate', endDate)
    }
  }

  moveParameter(node: YAMLMap): void {
    const values = mapsAt(node, 'values')
    const last = values.at(-1)!
    this.#yaml.keep(valueAt(node, 'values') as YAMLSeq, (position) => values[position] === last)
    this.#yaml.set(last, 'startDate', yearDates(this.#move.to).startDate)
    this.#gradeAsEstimate(last)
  }

  moveRule(node: YAMLMap): void {
    const name = textAt(node, 'name')!
    for (const one of mapsAt(node, 'cases')) this.#moveOutcome(one, name)
    this.markTerms(node)
    const verification = valueAt(node, 'verification')
    this.#gradeAsEstimate(verification)
    this.#yaml.set(verification, 'reviewBy', reviewBefore(this.#move, textAt(verification, 'verifiedOn')!))
  }

  moveConcession(node: YAMLMap): void {
    this.#gradeAsEstimate(node)
    this.keepInForce(node, ['adjustments'])
    for (const one of mapsAt(node, 'adjustments')) if (this.lasts(one)) this.#mark(one, textAt(node, 'label')!)
  }

  /** Marks the term factors that have a grade of their own; the others have the grade of the rule. */
  markTerms(node: YAMLMap): void {
    const graded = mapsAt(node, 'terms').filter((term) => term.has('evidence'))
    for (const term of graded) this.#mark(term, `What is charged for ${textAt(term, 'months')} months`)
  }

  moveExamples(spec: YAMLMap, ways: ExampleWays): void {
    const nodes = mapsAt(spec, 'examples')
    if (nodes.length === 0) return
    const moved = (words: string) => moveText(words, this.#move)
    this.#yaml.keep(valueAt(spec, 'examples') as YAMLSeq, (position) => ways(position) !== undefined, moved)
    for (const [position, node] of nodes.entries()) {
      const way = ways(position)
      if (way === undefined) continue
      this.#yaml.set(node, 'name', moved(textAt(node, 'name')!))
      // No page publishes the example for the next year.
      this.#yaml.set(valueAt(node, 'source'), 'kind', 'formula')
      const given = valueAt(node, 'given') as YAMLMap
      moveGivenIn(this.#yaml, given, moveGiven(given.toJSON() as object, way, this.#move))
    }
  }

  /**
   * Marks an exemption as carried over, because it is a figure too: many end on the last day of a year. The mark is in
   * its reason, because an exemption has no warning.
   */
  #moveOutcome(one: YAMLMap, name: string): void {
    const exempt = valueAt(one, 'exempt')
    if (exempt) {
      this.#gradeAsEstimate(one)
      this.#yaml.set(exempt, 'reason', carriedOverWarning(this.#move.from, textAt(exempt, 'reason')!))
    }
    if (!one.has('charge')) return
    this.#mark(one, name)
    for (const row of mapsAt(one, 'charge', 'table', 'rows'))
      if (row.has('warning') || row.has('evidence')) this.#mark(row, name)
  }

  /**
   * Grades a figure as an estimate, without an upper bound: the bound of last year's figure does not hold for the next.
   */
  #gradeAsEstimate(node: unknown): void {
    this.#yaml.set(node, 'evidence', 'estimate')
    this.#yaml.set(node, 'upperBound', 'false')
  }

  #mark(node: YAMLMap, name: string): void {
    this.#gradeAsEstimate(node)
    const said = textAt(node, 'warning') ?? `${name}.`
    this.#yaml.put(node, 'warning', carriedOverWarning(this.#move.from, said))
  }
}
