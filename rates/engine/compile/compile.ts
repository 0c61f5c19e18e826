import { compileParameter } from './amount.ts'
import { compileBasis } from './bases.ts'
import { compileConcession, type CompiledConcession } from './concessions.ts'
import { compileClass } from './conditions.ts'
import { ofComponent, readBy } from './depends.ts'
import type { Fact } from '../grammar/facts.ts'
import type { RateSetSpec } from '../grammar/rate-set.ts'
import { compileMissing } from './missing.ts'
import { orderOf } from './order.ts'
import type { CompiledComponent, Program } from './program.ts'
import { compileRule, type CompiledRule } from './rule.ts'
import { memoized, placeIn, refuse, type Basis, type NamedTest, type Place, type Scope, type Slots, type Zones } from './scope.ts'
import { compileZones } from './zones.ts'

/** One decoded rate set: RateSet name, attested digest, spec, and the digests of its imports by RateSet name. */
export interface LoadedSet {
  name: string
  digest: string
  spec: RateSetSpec
  imports: Record<string, string>
}

/** Compiles a set together with its imports. Throws Error with the name of the set and the path in its spec. */
export function compileSet(set: LoadedSet, imports: readonly LoadedSet[]): Program {
  const slots: Slots = { components: new Map(), bases: 0, classes: 0, zones: 0 }
  for (const { spec } of [set, ...imports]) {
    for (const rule of spec.rules) {
      if (rule.category === 'onRoad' && !slots.components.has(rule.component)) {
        slots.components.set(rule.component, slots.components.size)
      }
    }
  }
  const imported = imports.map((each) => createScope(each, slots, [], true))
  const scopes = [createScope(set, slots, imported, false), ...imported]
  const specs = scopes.map(({ spec }) => spec)
  const rules = scopes.flatMap((scope) => rulesOf(scope))
  const concessions = scopes.map((scope) => concessionsOf(scope))
  scopes.forEach(compileUnused)
  return Object.freeze({
    name: set.name,
    digest: set.digest,
    imports: Object.freeze(Object.fromEntries(imports.map(({ name, digest }) => [name, digest]))),
    pricingCode: set.spec.pricingCode,
    financialYear: set.spec.financialYear,
    order: orderOf(componentsOf(rules, slots, specs), set.name),
    blank: blankOf(slots),
    lineRules: { dutiable: lineRules(rules, 'dutiable'), additional: lineRules(rules, 'additional') },
    concessions: new Map(concessions.reverse().flatMap((each) => [...each])),
  })
}

function blankOf({ components: { size }, bases }: Slots): Program['blank'] {
  return {
    lines: new Array<null>(size).fill(null),
    cents: new Array<number>(size).fill(0),
    unpriced: new Array<undefined>(size).fill(undefined),
    bases: new Array<undefined>(bases).fill(undefined),
  }
}

/**
 * Orders rules by priority, highest first; at equal priority the set's own rules come before those of its imports, then
 * file order decides.
 */
function byPrecedence(a: CompiledRule, b: CompiledRule): number {
  return b.priority - a.priority || Number(a.imported) - Number(b.imported) || a.index - b.index
}

function componentsOf(
  rules: readonly CompiledRule[],
  slots: Slots,
  specs: readonly RateSetSpec[],
): CompiledComponent[] {
  return [...slots.components].map(([name, slot]) => ({
    name,
    slot,
    rules: rules.filter(({ component, spec }) => component === name && spec.category === 'onRoad').sort(byPrecedence),
    reads: readBy(name, specs),
  }))
}

function lineRules(rules: readonly CompiledRule[], category: 'dutiable' | 'additional'): CompiledRule[] {
  return rules.filter(({ spec }) => spec.category === category).sort(byPrecedence)
}

function rulesOf(scope: Scope): CompiledRule[] {
  const missing = compileMissing(scope.spec.missing, placeIn(scope))
  return scope.spec.rules.map((rule, index) => compileRule(rule, index, scope, missing))
}

function concessionsOf(scope: Scope): Map<string, CompiledConcession> {
  const list = scope.spec.concessions ?? []
  return new Map(list.map((each, index) => [each.type, compileConcession(each, placeIn(scope, `concessions[${index}]`))]))
}

/** Compiles the names that no rule uses, so that a fault in one of them is found too. */
function compileUnused(scope: Scope): void {
  const { classes, bases, zones, parameters } = scope.spec
  classes?.forEach(({ name }, index) => scope.classOf(name, placeIn(scope, `classes[${index}]`)))
  bases?.forEach(({ name }, index) => scope.basisOf(name, placeIn(scope, `bases[${index}]`)))
  zones?.forEach(({ name }, index) => scope.zonesOf(name, placeIn(scope, `zones[${index}]`)))
  parameters?.forEach(({ name }, index) => scope.parameterOf(name, placeIn(scope, `parameters[${index}]`)))
}

function createScope({ name: set, spec }: LoadedSet, slots: Slots, imports: Scope[], imported: boolean): Scope {
  const specs = [spec, ...imports.map((each) => each.spec)]
  const scope: Scope = {
    set,
    code: spec.pricingCode,
    spec,
    slots,
    imports,
    imported,
    classOf: memoized<NamedTest>((name, place) => {
      const index = (spec.classes ?? []).findIndex((each) => each.name === name)
      const found = spec.classes?.[index] ?? refuse(place, `there is no class ${name}`)
      return compileClass(found, placeIn(scope, `classes[${index}]`))
    }),
    zonesOf: memoized<Zones>((name, place) => {
      const found = spec.zones?.find((each) => each.name === name)
      return compileZones(found ?? refuse(place, `there is no zone list ${name}`), scope)
    }),
    basisOf: memoized<Basis>(findBasis),
    parameterOf: memoized(findParameter),
    candidatesOf: memoized((component) => ofComponent(component, specs)),
    fallbacks: fallbacksOf(spec),
  }
  return scope
}

/**
 * The facts on which each warning of a basis depends: when a case tests whether fields were sent and they were not, a
 * later case applies, and the warning of that later case is about those fields.
 */
function fallbacksOf({ bases = [] }: RateSetSpec): Map<string, Fact[]> {
  const found = new Map<string, Fact[]>()
  for (const { cases } of bases) {
    for (const [at, { warning, when }] of cases.entries()) {
      const asked = cases.slice(0, at).flatMap((each) => each.when?.present ?? [])
      const absent = asked.filter((fact) => !when?.present?.includes(fact))
      if (warning !== undefined && absent.length > 0) found.set(warning, [...new Set(absent)])
    }
  }
  return found
}

/** Finds a basis of the set itself, or else of one of its imports. */
function findBasis(name: string, place: Place): Basis {
  const { scope } = place
  const index = (scope.spec.bases ?? []).findIndex((each) => each.name === name)
  const found = scope.spec.bases?.[index]
  if (found) return compileBasis(found, placeIn(scope, `bases[${index}]`))
  const owner = scope.imports.find(({ spec }) => spec.bases?.some((each) => each.name === name))
  return owner ? owner.basisOf(name, placeIn(owner, place.path)) : refuse(place, `there is no basis ${name}`)
}

function findParameter(reference: string, place: Place) {
  const { scope } = place
  const [name = '', code = scope.code] = reference.split('/').reverse()
  const owner = [scope, ...scope.imports].find((each) => each.code === code)
  const index = (owner?.spec.parameters ?? []).findIndex((each) => each.name === name)
  const parameter = owner?.spec.parameters?.[index]
  if (!owner || !parameter) return refuse(place, `there is no parameter ${reference}`)
  return compileParameter(parameter, placeIn(owner, `parameters[${index}]`))
}
