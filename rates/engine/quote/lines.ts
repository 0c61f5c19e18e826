import type { Explanation, QuoteLine } from '../answer.ts'
import { yearDates } from '../dates.ts'
import type { Line, Lines } from '../price/outcome.ts'
import { formatExact, multiply, toCents, whole, type Exact } from '../exact.ts'
import { evidenceOf, UNBOUNDED } from '../grade.ts'
import { retractAll } from '../price/assume.ts'
import type { Program } from '../compile/program.ts'
import type { RequestLine } from '../request.ts'
import { ruleId, type CompiledRule } from '../compile/rule.ts'
import { report } from '../price/report.ts'
import { settleTest } from '../price/settle.ts'
import { FALSE, TRUE, UNKNOWN, type State } from '../state.ts'

/** The GST in a line of `value` cents, at the rule's share, rounded half up. */
function taxed(value: number, gst: Exact | null): Pick<QuoteLine, 'tax' | 'amounts'> {
  if (gst === null) {
    return { tax: { type: 'NONE', rate: '0', amount: 0 }, amounts: { exclusive: value, tax: 0, inclusive: value } }
  }
  const amount = toCents(multiply(whole(value), gst))
  return {
    tax: { type: 'GST', rate: '10', amount },
    amounts: { exclusive: value - amount, tax: amount, inclusive: value },
  }
}

/** Converts a charge to a line of the quote. */
export function onRoadLine({ rule, cents, evidence, outcome, trace }: Line): QuoteLine {
  const { tax, amounts } = taxed(cents, rule.gst)
  const line: QuoteLine = {
    description: rule.name,
    value: cents,
    ruleId: rule.id,
    component: rule.component,
    evidence: evidenceOf(evidence),
    startDate: rule.startDate,
    tax,
    amounts,
  }
  if (trace !== null) line.explain = explain(rule, outcome.at?.path ?? rule.path, trace)
  return line
}

/**
 * Components whose charge may be higher than quoted: the line is an estimate that is not an upper bound, or
 * `substituted` is true. Then the rates of an earlier day replace those of the requested day, and are no bound.
 */
export function mayRise(lines: Lines, substituted: boolean): string[] {
  const found: string[] = []
  for (const line of lines)
    if (line !== null && (substituted || line.evidence === UNBOUNDED)) found.push(line.rule.component)
  return found
}

function explain(rule: CompiledRule, path: string, trace: NonNullable<Line['trace']>): Explanation {
  const { basis, unrounded, ...rest } = trace
  return {
    case: path,
    ...(basis && { basis: { name: basis.name, amount: toCents(basis.amount) } }),
    ...rest,
    ...(unrounded && { unroundedCents: formatExact(unrounded) }),
    sources: [...rule.sources],
  }
}

/** The rule that gives lines of this category their id and GST: the first in force whose `when` holds. */
function settleLineRule(rules: readonly CompiledRule[], state: State): CompiledRule | null {
  const position = settlePosition(rules, state)
  const rule = rules[position] ?? null
  if (state.questions === null) return rule
  report(rule?.component ?? '', position, state, (trial) => settlePosition(rules, trial))
  retractAll(state)
  return rule
}

function settlePosition(rules: readonly CompiledRule[], state: State): number {
  for (let position = 0; position < rules.length; position++) {
    const rule = rules[position]!
    if (state.day < rule.from || state.day > rule.to) continue
    let truth = rule.when === null ? TRUE : rule.when.holds(state)
    if (truth === UNKNOWN && rule.when) {
      const settled = settleTest(rule.when, rule, state)
      truth = typeof settled === 'object' ? FALSE : settled
    }
    if (truth === TRUE) return position
  }
  return -1
}

/**
 * The request's own lines of one category, with id and GST from the set's rule for them; without such a rule they have
 * no GST.
 */
export function requestLines(
  lines: readonly RequestLine[],
  category: 'dutiable' | 'additional',
  program: Program,
  state: State,
): QuoteLine[] {
  if (lines.length === 0) return []
  const rule = settleLineRule(program.lineRules[category], state)
  const component = rule?.component ?? `${category.toUpperCase()}_LINE`
  const id = rule?.id ?? ruleId(program.pricingCode, component, program.financialYear)
  const evidence = evidenceOf(rule?.evidence ?? 0)
  const startDate = rule?.startDate ?? yearDates(program.financialYear).startDate
  return lines.map(({ description, value }) => {
    const { tax, amounts } = taxed(value, rule?.gst ?? null)
    const line: QuoteLine = { description, value, ruleId: id, component, evidence, startDate, tax, amounts }
    if (state.trace) line.explain = asSent(value, rule)
    return line
  })
}

function asSent(value: number, rule: CompiledRule | null): Explanation {
  const cents = String(value)
  const account = [{ kind: 'amount', cents, leavesCents: cents } as const]
  return { case: rule?.path ?? '', account, sources: [...(rule?.sources ?? [])] }
}
