import { casesOf, rulesOf } from './parts.ts'
import { entries, type At, type Check } from './subject.ts'

/** The last case of a rule or basis has no `when`, so it applies to whatever is left; every other case has one. */
export const lastCaseOpen: Check = ({ spec }) =>
  [
    ...rulesOf(spec).map(casesOf),
    ...entries('bases', spec.bases).map(({ path, value }) => entries(`${path}.cases`, value.cases)),
  ].flatMap((cases: At<{ when?: unknown }>[]) =>
    cases.flatMap(({ path, value }, position) => {
      const last = position === cases.length - 1
      if (last === (value.when === undefined)) return []
      const message = last
        ? 'the last case has a when; vehicles that do not match it have no outcome'
        : 'a case without when hides the cases after it'
      return [{ check: 'last-case-open', path: last ? `${path}.when` : path, message }]
    }),
  )
