import { subjectOf, type Subject } from '../checks/subject.ts'
import { covers, dayAfter, dayBefore, dayOf, isoOf } from '../engine/dates.ts'
import { BODY_TYPES, FUEL_TYPES } from '../engine/grammar/facts.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { evidenceOf } from '../engine/grade.ts'
import type { Program } from '../engine/compile/program.ts'
import type { CompiledRule } from '../engine/compile/rule.ts'
import { codeOf, FACT_INDEX, noFacts, NO_WARNINGS, type State } from '../engine/state.ts'
import type { JurisdictionYear } from '../engine/summaries.ts'
import { prospectsOf, type Setting } from './explore.ts'

/** Whether every component that is due has a price: for all vehicles of some kinds, for some of them, or for none. */
export type Complete = 'always' | 'sometimes' | 'never'

/** Kinds of vehicles with the same results when every fact is sent. */
export interface VehicleCoverage {
  bodyTypes: string[]
  fuelTypes: string[]
  /** Terms in months. */
  terms: number[]
  complete: Complete
  /** Components that can be without a price. */
  unpriced: string[]
  /** The weakest grade that the line of each component can have. */
  evidence: { component: string; grade: string }[]
}

/** The results for all vehicles with one kind of registration, between two days. */
export interface Coverage {
  startDate: string
  endDate: string
  registrationType: string
  condition: string
  vehicles: VehicleCoverage[]
}

/** One kind of registration; a vehicle whose registration is transferred is used. */
interface Way {
  registrationType: string
  condition: 'new' | 'used'
}

/** How complete the quotes of one year are, between the days on which rules begin or end. */
export function coverageOf(year: JurisdictionYear, sets: readonly RateSetSpec[]): Coverage[] {
  const setting = settingOf(sets)
  return segmentsOf(year).flatMap(({ startDate, endDate }) =>
    waysOn(startDate, year).map((way) => {
      const vehicles = merged(kindsOf(dayOf(startDate), way, year, setting))
      return { startDate, endDate, ...way, vehicles }
    }),
  )
}

function settingOf(sets: readonly RateSetSpec[]): Setting {
  const subjects = new Map<string, Subject>(sets.map((spec) => [spec.pricingCode, subjectOf(spec, sets)]))
  return { tried: new Map(), subjectOf: ({ pricingCode }: CompiledRule) => subjects.get(pricingCode)! }
}

function segmentsOf({ startDate, endDate, program, registrationTypes }: JurisdictionYear) {
  const rules = program.order.flatMap((component) => component.rules)
  const starts = [
    startDate,
    ...rules.flatMap(({ from, to }) => [isoOf(from), dayAfter(isoOf(to))]),
    ...registrationTypes.flatMap((each) => [each.startDate, dayAfter(each.endDate)]),
  ]
  const days = [...new Set(starts)].filter((day) => startDate <= day && day <= endDate).sort()
  return days.map((day, at) => ({ startDate: day, endDate: days[at + 1] ? dayBefore(days[at + 1]!) : endDate }))
}

function waysOn(day: string, { registrationTypes }: JurisdictionYear): Way[] {
  return registrationTypes
    .filter((each) => covers(each, day))
    .flatMap(({ type }): Way[] => {
      const used: Way = { registrationType: type, condition: 'used' }
      return type === 'transfer' ? [used] : [{ registrationType: type, condition: 'new' }, used]
    })
}

function kindsOf(day: number, way: Way, { program, terms }: JurisdictionYear, setting: Setting): VehicleCoverage[] {
  return BODY_TYPES.flatMap((bodyType) =>
    FUEL_TYPES.flatMap((fuelType) =>
      terms.map((months) => {
        const state = stateOf(day, program, { ...way, bodyType, fuelType })
        state.facts[FACT_INDEX.termMonths] = months
        const kind = { bodyTypes: [bodyType], fuelTypes: [fuelType], terms: [months] }
        return { ...kind, ...completenessOf(program, state, setting) }
      }),
    ),
  )
}

function stateOf(day: number, program: Program, words: Way & { bodyType: string; fuelType: string }): State {
  const facts = noFacts()
  for (const [fact, word] of Object.entries(words) as [keyof typeof words, string][])
    facts[FACT_INDEX[fact]] = codeOf(fact as 'bodyType', word)
  return {
    facts,
    day,
    ageDay: day,
    latestDay: day,
    lines: [],
    // There are no lines here, so none can be left out.
    alone: () => 0,
    concession: null,
    overlay: null,
    isOpen: true,
    questions: null,
    silent: true,
    trace: null,
    readings: null,
    decided: null,
    cents: program.blank.cents.slice(),
    unpriced: program.blank.unpriced.slice(),
    bases: program.blank.bases.slice(),
    notes: { evidence: 0, warnings: NO_WARNINGS },
    stated: -1,
    messages: { warnings: [], assumptions: [], unpriced: [] },
  }
}

function completenessOf(program: Program, state: State, setting: Setting) {
  const never = new Set<string>()
  const lacking = new Set<string>()
  const evidence: VehicleCoverage['evidence'] = []
  for (const component of program.order) {
    const found = prospectsOf(component, state, setting)
    // A line computed from another line has no price when the other has none.
    const needs = component.rules.flatMap((rule) => [...rule.needs])
    if (found.unpriced || (found.grades.size > 0 && needs.some((name) => lacking.has(name))))
      lacking.add(component.name)
    if (found.unpriced && !found.settled) never.add(component.name)
    if (found.grades.size > 0)
      evidence.push({ component: component.name, grade: evidenceOf(Math.max(...found.grades)) })
  }
  const complete: Complete = lacking.size === 0 ? 'always' : never.size > 0 ? 'never' : 'sometimes'
  return { complete, unpriced: [...lacking].sort(), evidence }
}

/** Merges kinds with the same results into one entry: first by term, then by fuel and by body. */
function merged(kinds: readonly VehicleCoverage[]): VehicleCoverage[] {
  const said = ({ complete, unpriced, evidence }: VehicleCoverage) => JSON.stringify([complete, unpriced, evidence])
  const byTerm = joined(kinds, (one) => `${one.bodyTypes} ${one.fuelTypes} ${said(one)}`)
  const byFuel = joined(byTerm, (one) => `${one.bodyTypes} ${one.terms} ${said(one)}`)
  return joined(byFuel, (one) => `${one.fuelTypes} ${one.terms} ${said(one)}`)
}

function joined(kinds: readonly VehicleCoverage[], keyOf: (kind: VehicleCoverage) => string): VehicleCoverage[] {
  return [...Map.groupBy(kinds, keyOf).values()].map((same) => ({
    ...same[0]!,
    bodyTypes: [...new Set(same.flatMap(({ bodyTypes }) => bodyTypes))],
    fuelTypes: [...new Set(same.flatMap(({ fuelTypes }) => fuelTypes))],
    terms: [...new Set(same.flatMap(({ terms }) => terms))],
  }))
}
