import type { ConditionParts } from './condition-words.ts'
import type { OtherCases } from './other-cases.ts'
import { isSameData } from './same-data.ts'
import type { Threshold } from './said.ts'
import type { OfficialPage } from './source-words.ts'
import type { SetStatements } from './spans.ts'
import { listKey, type Statement } from './statements.ts'
import { exampleBetween } from './thresholds.ts'

/** A component whose amount moves with a change of another part. */
export interface Follower {
  component: string
  /** The set of the component, when another set than that of the change. */
  pricingCode?: string
  /** Its share of the other amount, when nothing else determines it. */
  percent?: string
  /** Its line in cents, when the change alone determines the other line. */
  charged?: ChargedCents
}

/** The amount of a component in two zones; `label` says for which vehicles, `term` for which term, when there are several. */
export interface ZoneAmount {
  component: string
  label: string
  term?: string
  old: string
  new: string
  /** Whether the new amount is an estimate by its grade of evidence. */
  isEstimate?: true
  /** The line of a quote for the usual term. */
  charged?: ChargedCents
}

/** Cents of the line of a quote, before and after. */
export interface ChargedCents {
  from: number
  to: number
}

/** One statement that differs from before, for a period; null on the side without the statement. */
export interface FigureChange {
  pricingCode: string
  component: string
  /** The component as readers call it; absent when it has no words but its name. */
  heading?: string
  kind: Statement['kind'] | 'set'
  ruleId?: string
  label: string
  about: Statement['about']
  old: string | null
  new: string | null
  /** First day of the change, ISO. */
  from: string
  /** Last day of the change, ISO; absent when it lasts to the last day that the sets cover. */
  until?: string
  course?: Course
  /** For a postponed change that begins differently than announced: what begins after the last day. */
  instead?: string
  /** Titles of the sources of the new statement, or of the old one; official sources first. */
  sources: readonly string[]
  /** The first official page; null when there is none, absent when sources are not known. */
  official?: OfficialPage | null
  /** Of a figure that was not read on an official page, by its grade: the titles of its unofficial sources. */
  unofficial?: readonly string[]
  /** When the figure before is that of the zone in which the postcodes of a new zone were: that zone, in words. */
  formerZone?: string
  /** The lines of a quote for the other terms, where the figure alone determines them. */
  otherTerms?: readonly (ChargedCents & { months: number })[]
  /** The kind of statement within the component, such as `flat`, `round` or `outcome`; absent for whole sets. */
  key?: string
  /** The label without the words of the case and of the rule; absent when the label has none. */
  what?: string
  /** The rule and the case of the statement, each by its condition; absent when there is only one. */
  titles?: Statement['titles']
  /** The parts of old and new, when both are lists. */
  parts?: readonly [readonly string[], readonly string[]]
  /** The parameters whose values are amounts on both sides. */
  parameters?: readonly string[]
  /** The line of a quote for the usual term, when the figure alone determines the line on both sides. */
  charged?: ChargedCents
  /** For a rate that rises with the amount, or a threshold: an amount in cents, and its charge before and after. */
  example?: ChargedCents & { of: number; basis?: string }
  /** For a threshold: what it is of, the charges on both sides of it, and who does not bear the higher one. */
  threshold?: Pick<Threshold, 'of' | 'below' | 'above' | 'aboveTo' | 'unless'>
  /** For a rate that rises with the amount, of which only the rounding changes: the rounding before and after. */
  roundings?: readonly [string, string]
  /** For an amount that is not the line as it is written: the lines of both sides, and how the new one is computed. */
  lines?: { old?: string; new?: string; how?: string }
  /** For what begins after a postponement: what was announced and never applied; `old` is what applies until then. */
  announced?: string
  /** For a former outcome: its short form, shown in place of an amount. */
  brief?: string
  /** The year of a whole set, such as `2026-2027`. */
  financialYear?: string
  /** For a changed condition: its parts before and after. */
  conditions?: readonly [ConditionParts, ConditionParts]
  /**
   * Whether only the reason of an outcome, or only the computation of an amount, changed: no vehicle is charged
   * differently.
   */
  isExplanation?: true
  /** For postcodes that move together: ranges of them. */
  postcodes?: readonly string[]
  /** The case of a rule that makes the statement, in words. */
  case?: string
  role?: Statement['role']
  /** Whether one side's statement is of another case, which covers what the case of the other side applied to. */
  isOfOther?: true
  /** For the condition of a case that ends: the remaining cases of the rule. */
  otherCases?: OtherCases
  /** Whether the new figure is an estimate by its grade of evidence. */
  isEstimate?: true
  /** For a changed condition of a case: what the case charges, when it is one figure. */
  charge?: string
  /** For postcodes that move from one zone to another: amounts of the former zone and of the new one. */
  amounts?: readonly ZoneAmount[]
  /** Components whose amounts move with this change, and have no statement of their own. */
  followers?: readonly Follower[]
  /** Whether the component had no amount before. */
  isFirst?: true
  /** Whether the change reaches days before today: quotes for these days would now differ. */
  correction?: boolean
}

/**
 * The meaning of a period that begins where a figure changes anyway. `postponed`: what should begin on its first day
 * begins on the day after it. `broughtForward`: what should begin on the day after it begins on its first day.
 * `cancelled`: what should begin on its first day does not begin.
 */
export type Course = 'postponed' | 'broughtForward' | 'cancelled'

/** Whether a figure is the first of its component; only then was nothing priced before. */
export function firstOf(
  was: SetStatements,
  old: Statement | undefined,
  now: Statement | undefined,
): { isFirst?: true } {
  if (old || now?.kind !== 'rule' || now.about !== 'figure') return {}
  const isPriced = [...was.statements.values()].some(
    ({ kind, component, about }) => kind === 'rule' && component === now.component && about === 'figure',
  )
  return isPriced ? {} : { isFirst: true }
}

/** Whether a figure is an estimate, by its grade. */
export function estimateOf(now: Statement | undefined, said: Pick<SetStatements, 'statements'>): { isEstimate?: true } {
  if (now?.about !== 'figure') return {}
  return gradeIn(now, said)?.startsWith('estimate') ? { isEstimate: true } : {}
}

/** The unofficial sources of what was read in them, and not on the page of the authority. */
export function unofficialOf(
  now: Statement | undefined,
  said: Pick<SetStatements, 'statements'>,
): { unofficial?: readonly string[] } {
  if (!now?.unofficial) return {}
  return gradeIn(now, said)?.startsWith('secondary') ? { unofficial: now.unofficial } : {}
}

/** The grade of a statement: that of its row or band, else of its case, else of its rule. */
function gradeIn(one: Statement, { statements }: Pick<SetStatements, 'statements'>): string | undefined {
  const depths = Array.from({ length: (one.places?.length ?? 0) + 1 }, (_, at) => at).toReversed()
  return depths.flatMap((depth) => statements.get(`${listKey(one, depth)}/evidence`) ?? [])[0]?.value
}

/** A change, worded by the later statement, or by the earlier when the later side has none. */
export function worded(
  pricingCode: string,
  old: Statement | undefined,
  now: Statement | undefined,
): Omit<FigureChange, 'from'> {
  const { component, kind, label, about, sources, told, ...said } = (now ?? old)!
  const change = { pricingCode, component, kind, label: told?.label ?? label, about, sources }
  const values = { old: old ? toldOf(old) : null, new: now ? toldOf(now) : null }
  return {
    ...change,
    ...values,
    ...present(said, ['heading', 'key', 'ruleId', 'official', 'case', 'role', 'titles', 'what']),
    ...present(told ?? {}, ['what']),
    ...ofBoth(old, now),
    ...linesOf(old, now),
    ...present(old ?? {}, ['brief']),
    ...explanationOf(old, now),
    ...conditionsOf(old, now),
  }
}

/** What needs a statement on both sides: the parts and the lines of both, and the parameters that both have. */
function ofBoth(
  old: Statement | undefined,
  now: Statement | undefined,
): Pick<
  FigureChange,
  'parts' | 'parameters' | 'charged' | 'example' | 'roundings' | 'threshold' | 'otherTerms' | 'formerZone'
> {
  if (!old || !now) return {}
  return {
    ...(old.parts && now.parts && { parts: [old.parts, now.parts] as const }),
    ...(isSameData(old.parameters, now.parameters) && present(now, ['parameters'])),
    ...chargedOf(old, now),
    ...exampleOf(old, now),
    ...thresholdsOf(old, now),
    ...roundingsOf(old, now),
    ...otherTermsOf(old, now),
    ...present(old, ['formerZone']),
  }
}

function linesOf(old: Statement | undefined, now: Statement | undefined): Pick<FigureChange, 'lines'> {
  const [was, is] = [old?.line, now?.line]
  if (!was && !is) return {}
  return { lines: { ...(was && { old: was.amount }), ...(is && { new: is.amount, how: is.how }) } }
}

function roundingsOf({ rising: was }: Statement, { rising: is }: Statement): Pick<FigureChange, 'roundings'> {
  return was && is && was.rate === is.rate && was.rounded !== is.rounded ? { roundings: [was.rounded, is.rounded] } : {}
}

/** The lines of the other terms that differ. */
function otherTermsOf(
  { otherTerms: were = [] }: Statement,
  { otherTerms: are = [] }: Statement,
): Pick<FigureChange, 'otherTerms'> {
  const found = are.flatMap(({ months, cents }) => {
    const was = were.find((one) => one.months === months)?.cents
    return was === undefined || was === cents ? [] : [{ months, from: Number(was), to: Number(cents) }]
  })
  return found.length === 0 ? {} : { otherTerms: found }
}

/** The first amount on which two rates that rise with the amount charge differently. */
function exampleOf({ samples = [] }: Statement, { samples: are = [] }: Statement): Pick<FigureChange, 'example'> {
  const [example] = samples.flatMap(({ of, cents }) => {
    const now = are.find((one) => one.of === of)
    return now && now.cents !== cents ? [{ of, from: cents, to: now.cents }] : []
  })
  return example ? { example } : {}
}

/** What two conditions with a threshold say of it, with an example. */
function thresholdsOf(old: Statement, now: Statement): Pick<FigureChange, 'example' | 'threshold'> {
  const ends = [old.threshold ?? old.end, now.threshold ?? now.end]
  const [was, is] = ends
  if (!was || !is || was.edge === is.edge) return {}
  const found = exampleBetween(was, is)
  if (!now.threshold) return found ? { example: found } : {}
  const { of, below, above, aboveTo, unless } = now.threshold
  const threshold = { of, below, above, ...(aboveTo !== undefined && { aboveTo }), unless }
  return { threshold, ...(found && { example: { ...found, basis: of } }) }
}

/** The line of a quote for the usual term on both sides, when the figures alone determine it. */
export function chargedOf({ figure: old }: Statement, { figure: now }: Statement): { charged?: ChargedCents } {
  if (!old?.charged || !now?.charged || old.charged.months !== now.charged.months) return {}
  return { charged: { from: Number(old.charged.cents), to: Number(now.charged.cents) } }
}

/** Whether an outcome stays the same apart from its reason, or an amount apart from the terms of its computation. */
export function explanationOf(old: Statement | undefined, now: Statement | undefined): { isExplanation?: true } {
  const isReason = old?.outcome !== undefined && old.outcome === now?.outcome
  const { figure } = old ?? {}
  // Rates are excluded: the same percentage may be of the whole amount and of the excess.
  const isOrigin = figure?.unit === 'cents' && figure.per === undefined && isSameData(figure, now?.figure)
  return isReason || isOrigin ? { isExplanation: true } : {}
}

/** The parts of a condition before and after, or the fact that another case covers it. */
function conditionsOf(
  old: Statement | undefined,
  now: Statement | undefined,
): Pick<FigureChange, 'conditions' | 'isOfOther'> {
  if (old?.isOfOther || now?.isOfOther) return { isOfOther: true }
  return old?.condition && now?.condition ? { conditions: [old.condition, now.condition] } : {}
}

/** The fields of a statement that are present, among some. */
function present<K extends keyof Statement>(
  said: Pick<Statement, K>,
  names: readonly K[],
): Partial<Pick<Statement, K>> {
  const found = names.filter((name) => said[name] !== undefined).map((name) => [name, said[name]])
  return Object.fromEntries(found) as Partial<Pick<Statement, K>>
}

/** The value of a statement as a reader sees it. */
export const toldOf = ({ told, value }: Statement): string => told?.value ?? value
