import type { Fault } from './fault.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { chargesOfRule, rulesOf } from './parts.ts'
import { entries, type Check } from './subject.ts'

type Graph = Map<string, { path: string; to: string[] }>

/** No class refers to itself and no line depends on itself, directly or through others. */
export const noCycles: Check = ({ spec }) => [...cyclesIn(classGraph(spec)), ...cyclesIn(lineGraph(spec))]

const classGraph = (spec: RateSetSpec): Graph =>
  new Map(
    entries('classes', spec.classes).map(({ path, value }) => [
      `class ${value.name}`,
      {
        path,
        to: value.anyOf.flatMap((test) => [...(test.class ?? []), ...(test.not ?? [])]).map((name) => `class ${name}`),
      },
    ]),
  )

function lineGraph(spec: RateSetSpec): Graph {
  const graph: Graph = new Map()
  for (const { path, value } of entries('bases', spec.bases)) {
    const terms = value.cases.flatMap(({ sum = [], greatest = [], firstPresent = [], minus = [] }) => [
      sum,
      greatest,
      firstPresent,
      minus,
    ])
    graph.set(`basis:${value.name}`, { path, to: terms.flat().filter(isNode).map(nodeOf) })
  }
  for (const rule of rulesOf(spec)) {
    const node = `line:${rule.value.component}`
    const known = graph.get(node) ?? { path: rule.path, to: [] }
    const less = chargesOfRule(rule).flatMap(({ value }) => value.less ?? [])
    const basis = rule.value.basis === undefined ? [] : [`basis:${rule.value.basis}`]
    graph.set(node, { ...known, to: [...known.to, ...basis, ...less.filter(isNode).map(nodeOf)] })
  }
  return graph
}

const isNode = (term: string) => /^(line|alone|basis):/.test(term)
const nodeOf = (term: string) => term.replace(/^alone:/, 'line:')

function cyclesIn(graph: Graph): Fault[] {
  const done = new Set<string>()
  const faults: Fault[] = []
  const visit = (node: string, trail: string[]) => {
    const from = trail.indexOf(node)
    if (from >= 0) {
      const circle = [...trail.slice(from), node].join(' -> ')
      faults.push({ check: 'no-cycles', path: graph.get(node)!.path, message: `it depends on itself: ${circle}` })
    }
    if (from >= 0 || done.has(node)) return
    for (const next of graph.get(node)?.to ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return faults
}
