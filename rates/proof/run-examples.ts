import { explainExample, runExample } from '../engine/examples.ts'
import type { Example, RateSetSpec } from '../engine/grammar/rate-set.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import type { Difference } from './run-case.ts'

/** What of a worked example's figures a set does not give, none where it passes. */
export function runExampleOf(example: Example, spec: RateSetSpec, snapshot: Snapshot): Difference[] {
  const { passed, expected, got, message } = runExample(example, spec, snapshot)
  if (passed) return []
  if (Object.keys(got).length === 0) return [{ what: 'example', expected: 'figures', got: message }]
  const lines = explainExample(example, spec, snapshot)
  return Object.entries(expected).flatMap(([component, text]) => {
    if (!message.includes(`${component} is `)) return []
    const line = lines.find((each) => each.component === component)
    const explained = line?.explain ? { line: { ruleId: line.ruleId, explain: line.explain } } : {}
    return [{ what: component, expected: text, got: got[component] ?? 'none', ...explained }]
  })
}
