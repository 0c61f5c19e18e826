import type { Fault } from './fault.ts'
import type { RateSetSpec } from '../engine/grammar/rate-set.ts'
import { rulesOf } from './parts.ts'
import { entries, type At, type Check } from './subject.ts'

const NAMED_LISTS = [
  'sources',
  'parameters',
  'classes',
  'derivedFacts',
  'zones',
  'bases',
  'termScales',
  'examples',
] as const

/** Names are unique: no two entries of a list share a name, and no component is both imported and the set's own. */
export const namesUnique: Check = ({ spec, imports }) => [
  ...NAMED_LISTS.flatMap((list) => repeated(entries<{ name: string }>(list, spec[list]), 'name')),
  ...repeated(entries('concessions', spec.concessions), 'type'),
  ...repeated(entries('offers.registrationTypes', spec.offers?.registrationTypes), 'type'),
  ...entries('zones', spec.zones).flatMap(({ path, value }) =>
    repeated(entries(`${path}.values`, value.values), 'zone'),
  ),
  ...termLists(spec).flatMap((terms) => repeated(terms, 'months')),
  ...importedComponents(spec, imports),
]

const termLists = (spec: RateSetSpec) => [
  ...entries('termScales', spec.termScales).map(({ path, value }) => entries(`${path}.terms`, value.terms)),
  ...rulesOf(spec).map(({ path, value }) => entries(`${path}.terms`, value.terms)),
]

function repeated<K extends string>(list: At<Record<K, unknown>>[], key: K): Fault[] {
  return list.flatMap(({ path, value }, position) => {
    const first = list.findIndex((other) => other.value[key] === value[key])
    if (first === position) return []
    return [
      {
        check: 'names-unique',
        path: `${path}.${key}`,
        message: `${String(value[key])} is already defined at ${list[first]!.path}`,
      },
    ]
  })
}

function importedComponents(spec: RateSetSpec, imports: readonly RateSetSpec[]): Fault[] {
  return rulesOf(spec).flatMap(({ path, value }) => {
    const owner = imports.find(({ rules }) => rules.some(({ component }) => component === value.component))
    if (!owner) return []
    const message = `${value.component} is already charged by the imported ${owner.pricingCode}; only one set can charge it`
    return [{ check: 'names-unique', path: `${path}.component`, message }]
  })
}
