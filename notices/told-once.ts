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
  const lines = new Set<string>()
  const left = changes.flatMap((one) => {
    const parameter = parameterOf(one, parameters)
    if (!parameter) return [one]
    if (one.kind !== 'rule') return []
    told.add(parameter)
    const line = JSON.stringify([one.component, parameter.component, parameter.from, parameter.until, parameter.course])
    if (lines.has(line)) return []
    lines.add(line)
    return [lineOf(one, parameter)]
  })
  return left.filter((one) => !told.has(one))
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

function lineOf(rule: FigureChange, { heading, ...parameter }: FigureChange): FigureChange {
  const { component, ruleId, followers } = rule
  const label = heading ?? parameter.component
  const kept = { ...(ruleId !== undefined && { ruleId }), ...(followers && { followers }) }
  return { ...parameter, component, kind: 'rule', label, ...kept }
}
