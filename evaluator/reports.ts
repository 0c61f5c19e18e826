import { checkChanges, type ChangesAnswer, type ChangesQuery } from '../rates/answers/list-changes.ts'
import { checkJurisdictions, type JurisdictionsAnswer, type JurisdictionsQuery } from '../rates/answers/list-jurisdictions.ts'
import { listRules, type RulesAnswer, type RulesQuery } from '../rates/answers/list-rules.ts'
import { typedChanges, type TypedChange } from '../rates/diff/typed-changes.ts'
import type { Snapshot } from '../rates/engine/snapshot.ts'
import { describeJurisdictions, type OfferedJurisdiction } from '../rates/offered/describe.ts'

interface Reports {
  rules(query: RulesQuery): RulesAnswer
  changes(query: ChangesQuery): ChangesAnswer
  jurisdictions(query: JurisdictionsQuery): JurisdictionsAnswer
}

/** The reports on the rates of a release; changes and jurisdictions are computed once. Each throws PricingFault. */
export function reportsOf(snapshot: Snapshot): Reports {
  let changes: TypedChange[] | undefined
  let jurisdictions: OfferedJurisdiction[] | undefined
  return {
    rules: (query) => listRules(query, snapshot),
    changes: (query) => {
      const checked = checkChanges(query, { snapshot })
      return checked.page((changes ??= [...typedChanges(snapshot.specs)].flat()))
    },
    jurisdictions: (query) => {
      const checked = checkJurisdictions(query, snapshot)
      return checked.select((jurisdictions ??= [...describeJurisdictions(snapshot)]))
    },
  }
}
