import { compileAmount, type Amount } from './amount.ts'
import type { Condition } from '../grammar/condition.ts'
import type { Rule } from '../grammar/rule.ts'
import type { Scope } from './scope.ts'

interface Written {
  readonly text: string
  readonly path: string
}

/** Amounts of a rule's basis, each the last within something: a band, a case, the rule itself. Beyond one, the line may jump or end. */
export function compileEdges(rule: Rule, scope: Scope, path: string): Amount[] {
  const written = [
    ...edgesOfTest(rule.when, `${path}.when`),
    ...rule.cases.flatMap(({ when, charge }, index) => [
      ...edgesOfTest(when, `${path}.cases[${index}].when`),
      ...(charge?.bands ?? []).flatMap(({ upTo }, band) =>
        upTo === undefined ? [] : [{ text: upTo, path: `${path}.cases[${index}].charge.bands[${band}].upTo` }],
      ),
    ]),
  ]
  const once = new Map(written.map((edge) => [edge.text, edge]))
  return [...once.values()].map((edge) => compileAmount(edge.text, scope, edge.path))
}

function edgesOfTest(when: Condition | undefined, path: string): Written[] {
  const { upTo, above } = when?.basis ?? {}
  return [
    ...(upTo === undefined ? [] : [{ text: upTo, path: `${path}.basis.upTo` }]),
    ...(above === undefined ? [] : [{ text: above, path: `${path}.basis.above` }]),
  ]
}
