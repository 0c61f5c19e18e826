import type { Example, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { componentOf } from './figure.ts'
import type { Difference } from './run-case.ts'
import { explainExample, runExample } from './run-example.ts'

/** The unmet expectations of a worked example; empty when it passes. */
export function runExampleOf(example: Example, spec: RateSetSpec, snapshot: Snapshot): Difference[] {
  const { passed, expected, got, wrong, message } = runExample(example, spec, snapshot)
  if (passed) return []
  if (wrong.length === 0) return [{ what: 'example', expected: 'figures', got: message }]
  const lines = explainExample(example, spec, snapshot)
  return wrong.map((key) => {
    const line = lines.find(({ component }) => component === componentOf(key))
    const explained = line?.explain ? { line: { ruleId: line.ruleId, explain: line.explain } } : {}
    return { what: key, expected: expected[key] ?? '', got: got[key] ?? 'none', ...explained }
  })
}
