import type { CompiledComponent } from './program.ts'

/**
 * Sorts components so that each comes after those that it needs, and otherwise keeps their order. Throws Error that
 * names a cycle.
 */
export function orderOf(components: readonly CompiledComponent[], set: string): CompiledComponent[] {
  const byName = new Map(components.map((component) => [component.name, component]))
  const done = new Set<string>()
  const order: CompiledComponent[] = []
  const visit = (component: CompiledComponent, trail: readonly string[]): void => {
    if (done.has(component.name)) return
    const start = trail.indexOf(component.name)
    if (start >= 0) {
      const cycle = [...trail.slice(start), component.name].join(' needs ')
      throw new Error(`${set}: ${component.rules[0]?.path ?? 'rules'}: the lines need each other: ${cycle}`)
    }
    for (const name of needsOf(component)) {
      const needed = byName.get(name)
      if (needed) visit(needed, [...trail, component.name])
    }
    done.add(component.name)
    order.push(component)
  }
  for (const component of components) visit(component, [])
  return order
}

const needsOf = ({ rules }: CompiledComponent) => new Set(rules.flatMap(({ needs }) => [...needs]))
