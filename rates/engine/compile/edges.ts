import { compileAmount, type Amount } from './amount.ts'
import type { Condition } from '../grammar/condition.ts'
import type { Rule } from '../grammar/rule.ts'
import type { Place } from './scope.ts'

interface Written {
  readonly text: string
  readonly place: Place
}

/**
 * The edges of a rule on its basis: the last amount of a band, of a case or of the rule itself. Beyond an edge the line
 * may jump or end.
 */
export function compileEdges(rule: Rule, place: Place): Amount[] {
  const written = [
    ...edgesOfTest(rule.when, place.at('when')),
    ...rule.cases.flatMap(({ when, charge }, index) => [
      ...edgesOfTest(when, place.at(`cases[${index}].when`)),
      ...(charge?.bands ?? []).flatMap(({ upTo }, band) =>
        upTo === undefined ? [] : [{ text: upTo, place: place.at(`cases[${index}].charge.bands[${band}].upTo`) }],
      ),
    ]),
  ]
  const once = new Map(written.map((edge) => [edge.text, edge]))
  return [...once.values()].map((edge) => compileAmount(edge.text, edge.place))
}

function edgesOfTest(when: Condition | undefined, place: Place): Written[] {
  const { upTo, above } = when?.basis ?? {}
  return [
    ...(upTo === undefined ? [] : [{ text: upTo, place: place.at('basis.upTo') }]),
    ...(above === undefined ? [] : [{ text: above, place: place.at('basis.above') }]),
  ]
}
