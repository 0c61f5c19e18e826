import { datesInForce, dayAfter, dayBefore } from '../engine/dates.ts'
import { DEFAULT_PRIORITY } from '../engine/grammar/default-priority.ts'
import type { Rule } from '../engine/grammar/rule.ts'
import { rulesOf } from './parts.ts'
import type { At, Check, Subject } from './subject.ts'

interface Span {
  start: string
  end: string
}

function spanOf({ value }: At<Rule>, { spec }: Subject): Span {
  const { startDate, endDate } = datesInForce(value, spec.financialYear)
  return { start: startDate, end: endDate }
}

const overlap = (a: Span, b: Span) => a.start <= b.end && b.start <= a.end

const priorityOf = ({ value }: At<Rule>) => value.priority ?? DEFAULT_PRIORITY

/** Two rules of one component that share a day have different priorities, so that one of them takes precedence. */
export const overlapsRanked: Check = (subject) => {
  const rules = rulesOf(subject.spec)
  return rules.flatMap((rule, position) => {
    const rival = rules
      .slice(0, position)
      .find((other) => competes(rule, other, subject) && priorityOf(rule) === priorityOf(other))
    if (!rival) return []
    const message = `${rule.value.component} has another rule of priority ${priorityOf(rule)} on some of its days: ${rival.path}`
    return [{ check: 'overlaps-ranked', path: rule.path, message }]
  })
}

const competes = (a: At<Rule>, b: At<Rule>, subject: Subject) =>
  a.value.component === b.value.component && overlap(spanOf(a, subject), spanOf(b, subject))

/** Each rule applies on at least one day: rules of higher priority without a `when` do not cover all of its days. */
export const rulesReached: Check = (subject) => {
  const rules = rulesOf(subject.spec)
  return rules.flatMap((rule) => {
    const stronger = rules.filter((other) => takesFrom(rule, other, subject))
    // No such rule: the rule would have no days in the year at all, which other checks report.
    if (stronger.length === 0) return []
    const span = spanOf(rule, subject)
    if (
      gapsIn(
        stronger.map((other) => spanOf(other, subject)),
        span,
      ).length > 0
    )
      return []
    const message = `rules of a higher priority cover all days of this rule: ${stronger.map(({ path }) => path).join(', ')}`
    return [{ check: 'rules-reached', path: rule.path, message }]
  })
}

const takesFrom = (rule: At<Rule>, other: At<Rule>, subject: Subject) =>
  competes(rule, other, subject) && priorityOf(other) > priorityOf(rule) && other.value.when === undefined

/** Each component has a rule for each day of the year, even if the rule only says that the component is unpriced. */
export const daysCovered: Check = (subject) => {
  const rules = rulesOf(subject.spec)
  const components = [...new Set(rules.map(({ value }) => value.component))]
  return components.flatMap((component) => {
    const own = rules.filter(({ value }) => value.component === component)
    const gaps = gapsIn(
      own.map((rule) => spanOf(rule, subject)),
      subject.year,
    )
    return gaps.map(({ start, end }) => {
      const message = `no rule of ${component} covers ${start} to ${end}: add one, if only with the outcome unpriced`
      return { check: 'days-covered', path: own[0]!.path, message }
    })
  })
}

/** The days of a span that none of the other spans cover. */
function gapsIn(spans: Span[], whole: Span): Span[] {
  const gaps: Span[] = []
  let next = whole.start
  for (const span of spans.toSorted((a, b) => (a.start < b.start ? -1 : 1))) {
    if (span.start > next && next <= whole.end) gaps.push({ start: next, end: dayBefore(span.start) })
    if (span.end >= next) next = dayAfter(span.end)
  }
  if (next <= whole.end) gaps.push({ start: next, end: whole.end })
  return gaps.map(({ start, end }) => ({ start, end: end < whole.end ? end : whole.end }))
}
