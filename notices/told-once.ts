import type { FigureChange } from '#rates/diff/figure-change.ts'

/**
 * Tells the new value of a parameter once. A rule that is bounded by it in several cases says it in one line, with the
 * parameter's name and sources; the parameter then has no part of its own, and a basis that adds it says nothing.
 */
export function toldOnce(changes: readonly FigureChange[]): FigureChange[] {
  const parameters = new Map(
    changes.filter(isValue).map((one) => [keyOf(`${one.pricingCode}/${one.component}`, one), one]),
  )
  const told = new Set<FigureChange>()
  const lines = new Map<string, FigureChange[]>()
  const left = changes.flatMap((one): (() => FigureChange)[] => {
    const parameter = parameterOf(one, parameters)
    if (!parameter) return [() => one]
    if (one.kind !== 'rule') return []
    told.add(parameter)
    const line = JSON.stringify([one.component, parameter.component, parameter.from, parameter.until, parameter.course])
    const rules = lines.get(line) ?? []
    lines.set(line, [...rules, one])
    return rules.length > 0 ? [] : [() => lineOf(lines.get(line)!, parameter)]
  })
  return left.map((say) => say()).filter((one) => !told.has(one))
}

const isValue = ({ kind, key, old, new: now }: FigureChange): boolean =>
  kind === 'parameter' && key === 'value' && old !== null && now !== null

const keyOf = (parameter: string, { from, until, course }: FigureChange): string =>
  JSON.stringify([parameter, from, until, course])

/** The parameter whose new value is all that a change of its own set says. */
function parameterOf(one: FigureChange, parameters: ReadonlyMap<string, FigureChange>): FigureChange | undefined {
  const [name, ...others] = new Set(one.parameters)
  if (name === undefined || others.length > 0 || one.kind === 'parameter') return undefined
  const found = parameters.get(keyOf(name, one))
  if (found?.pricingCode !== one.pricingCode || one.old === null) return undefined
  return one.old.replaceAll(found.old!, found.new!) === one.new ? found : undefined
}

/** Of the examples of changes that one line says, that of the largest difference. */
function exampleOf(changes: readonly FigureChange[]): Pick<FigureChange, 'example'> {
  const size = ({ from, to }: { from: number; to: number }) => Math.abs(to - from)
  const [example] = changes.flatMap((one) => one.example ?? []).sort((a, b) => size(b) - size(a))
  return example ? { example } : {}
}

/** The line of the rules that a parameter bounds, with what the first of them says. */
function lineOf(rules: readonly FigureChange[], { heading, ...parameter }: FigureChange): FigureChange {
  const { component, ruleId, followers } = rules[0]!
  const label = heading ?? parameter.component
  const kept = { ...(ruleId !== undefined && { ruleId }), ...(followers && { followers }), ...exampleOf(rules) }
  return { ...parameter, component, kind: 'rule', label, ...kept }
}
