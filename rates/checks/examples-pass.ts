import type { LoadedSet } from '../engine/compile/compile.ts'
import type { Example, RateSetSpec } from '../engine/grammar/rate-set.ts'
import { buildSnapshot, type Snapshot } from '../engine/snapshot.ts'
import { EXAMPLES_PASS, type Fault } from './fault.ts'
import { runExample } from '../proof/run-example.ts'
import { rateSetName } from '../published/financial-year.ts'
import { entries, type Check, type Subject } from './subject.ts'

/**
 * Each worked example gives its expected figures when priced with the set and its imports alone. A withdrawn set is not
 * priced.
 */
export const examplesPass: Check = (subject) => {
  if (subject.spec.withdrawn === true) return []
  const snapshot = compile(subject)
  if ('check' in snapshot) return [snapshot]
  return entries('examples', subject.spec.examples).flatMap(({ path, value }) => {
    const message = failureOf(value, subject.spec, snapshot)
    return message === undefined ? [] : [{ check: EXAMPLES_PASS, path, message: `${value.name}: ${message}` }]
  })
}

/** The mismatches of an example, if any; a figure too large to be priced is a fault of the example. */
function failureOf(example: Example, spec: RateSetSpec, snapshot: Snapshot): string | undefined {
  try {
    const { passed, message } = runExample(example, spec, snapshot)
    return passed ? undefined : message
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

function compile({ spec, imports }: Subject): Snapshot | Fault {
  try {
    return buildSnapshot({
      release: 'checked',
      sets: [...imports.map((one) => loaded(one, [])), loaded(spec, imports)],
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { check: 'compiles', path: '', message: `the set cannot be compiled: ${message}` }
  }
}

const nameOf = ({ pricingCode, financialYear }: RateSetSpec) => rateSetName(pricingCode, financialYear)

const loaded = (spec: RateSetSpec, imports: readonly RateSetSpec[]): LoadedSet => ({
  name: nameOf(spec),
  digest: 'checked',
  spec,
  imports: Object.fromEntries(imports.map((one) => [nameOf(one), 'checked'])),
})
