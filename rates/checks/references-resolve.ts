import type { Fault } from './fault.ts'
import { LINE_KINDS } from '../engine/grammar/facts.ts'
import { amountsOf, parameterOf, referenceOf } from './amounts.ts'
import { nearest } from './nearest.ts'
import { adjustmentsOf, chargesOf, conditionsOf, missingOf, rulesOf, termsOf, zoneNames } from './parts.ts'
import { entries, optional, type At, type Check, type Subject } from './subject.ts'

/** Every name that a set uses is defined, in the set itself or in the import that the reference names. */
export const referencesResolve: Check = (subject) => [
  ...conditionReferences(subject),
  ...ruleReferences(subject),
  ...tableReferences(subject),
  ...sourceReferences(subject),
  ...parameterReferences(subject),
  ...termReferences(subject),
  ...exampleReferences(subject),
]

/** Faults for the uses whose name is not known. */
export function unresolved(uses: At<string>[], known: readonly string[], noun: string): Fault[] {
  return uses.flatMap(({ path, value }) => {
    if (known.includes(value)) return []
    const likely = nearest(value, known)
    const hint = likely === undefined ? '' : ` (did you mean ${likely}?)`
    return [{ check: 'references-resolve', path, message: `no ${noun} is called ${value}${hint}` }]
  })
}

const named = (list: readonly { name: string }[] | undefined) => (list ?? []).map(({ name }) => name)

/** Components of the set and of its imports. */
const componentsOf = ({ spec, imports }: Subject) =>
  [spec, ...imports].flatMap(({ rules }) => rules.map(({ component }) => component))

function conditionReferences({ spec }: Subject): Fault[] {
  return conditionsOf(spec).flatMap(({ path, value }) => [
    ...unresolved(entries(`${path}.class`, value.class), named(spec.classes), 'class'),
    ...unresolved(entries(`${path}.not`, value.not), named(spec.classes), 'class'),
    ...unresolved(
      entries(`${path}.derived`, value.derived).map((one) => ({ path: `${one.path}.name`, value: one.value.name })),
      named(spec.derivedFacts),
      'derived fact',
    ),
    ...unresolved(optional(`${path}.zone.name`, value.zone?.name), named(spec.zones), 'zone list'),
    ...unresolved(entries(`${path}.zone.in`, value.zone?.in), zoneNames(spec, value.zone?.name), 'zone of the list'),
  ])
}

function ruleReferences(subject: Subject): Fault[] {
  const { spec } = subject
  return [
    ...rulesOf(spec).flatMap(({ path, value }) => [
      ...unresolved(optional(`${path}.basis`, value.basis), named(spec.bases), 'basis'),
      ...unresolved(optional(`${path}.termScale`, value.termScale), named(spec.termScales), 'term scale'),
    ]),
    ...missingOf(spec).flatMap(({ path, value }) => [
      ...unresolved(optional(`${path}.class`, value.class), named(spec.classes), 'class'),
      ...unresolved(optional(`${path}.zone`, value.zone), named(spec.zones), 'zone list'),
    ]),
    ...adjustmentsOf(spec).flatMap(({ path, value }) => [
      ...unresolved(optional(`${path}.component`, value.component), componentsOf(subject), 'component'),
      ...unresolved(optional(`${path}.basis`, value.basis), named(spec.bases), 'basis'),
    ]),
  ]
}

function tableReferences({ spec }: Subject): Fault[] {
  return chargesOf(spec).flatMap(({ path, value: { table } }) => {
    const rows = entries(`${path}.table.rows`, table?.rows)
    return [
      ...unresolved(entries(`${path}.table.columns`, table?.columns), named(spec.classes), 'class'),
      ...unresolved(optional(`${path}.table.zone`, table?.zone), named(spec.zones), 'zone list'),
      ...rows.flatMap((row) => [
        ...unresolved(optional(`${row.path}.class`, row.value.class), named(spec.classes), 'class'),
        ...unresolved(optional(`${row.path}.zone`, row.value.zone), zoneNames(spec, table?.zone), 'zone of the list'),
      ]),
    ]
  })
}

function sourceReferences({ spec }: Subject): Fault[] {
  const uses = [
    ...rulesOf(spec).flatMap(({ path, value }) => entries(`${path}.verification.sources`, value.verification.sources)),
    ...entries('concessions', spec.concessions).flatMap(({ path, value }) => entries(`${path}.sources`, value.sources)),
    ...entries('parameters', spec.parameters).flatMap(({ path, value }) =>
      entries(`${path}.values`, value.values).flatMap((one) => entries(`${one.path}.sources`, one.value.sources)),
    ),
    ...entries('examples', spec.examples).map(({ path, value }) => ({
      path: `${path}.source.name`,
      value: value.source.name,
    })),
  ]
  return unresolved(uses, named(spec.sources), 'source')
}

function parameterReferences(subject: Subject): Fault[] {
  return amountsOf(subject.spec).flatMap(({ path, value }) => {
    const reference = referenceOf(value)
    if (!reference || parameterOf(reference, subject)) return []
    const { code = subject.spec.pricingCode, name } = reference
    const home = [subject.spec, ...subject.imports].find(({ pricingCode }) => pricingCode === code)
    if (home) return unresolved([{ path, value: name }], named(home.parameters), `parameter of ${code}`)
    return [{ check: 'references-resolve', path, message: `${code} is not imported` }]
  })
}

function termReferences(subject: Subject): Fault[] {
  const uses = (prefix: string) =>
    termsOf(subject.spec)
      .filter(({ value }) => value.startsWith(prefix))
      .map(({ path, value }) => ({ path, value: value.slice(prefix.length) }))
  return [
    ...unresolved([...uses('line:'), ...uses('alone:')], componentsOf(subject), 'component'),
    ...unresolved(uses('basis:'), named(subject.spec.bases), 'basis'),
    ...unresolved(uses('kind:'), LINE_KINDS, 'line kind'),
    ...entries('bases', subject.spec.bases).flatMap(({ path, value }) =>
      entries(`${path}.cases`, value.cases).flatMap((one) =>
        entries(`${one.path}.ofLines`, one.value.ofLines).flatMap((said) =>
          unresolved([{ path: `${said.path}.kind`, value: said.value.kind }], LINE_KINDS, 'line kind'),
        ),
      ),
    ),
  ]
}

function exampleReferences(subject: Subject): Fault[] {
  const concessions = (subject.spec.concessions ?? []).map(({ type }) => type)
  return entries('examples', subject.spec.examples).flatMap(({ path, value: { given, expect } }) => [
    ...unresolved(optional(`${path}.given.concession`, given.concession), concessions, 'concession'),
    ...unresolved(
      [...entries(`${path}.given.lines`, given.lines), ...entries(`${path}.given.additional`, given.additional)].map(
        (line) => ({ path: `${line.path}.kind`, value: line.value.kind }),
      ),
      LINE_KINDS,
      'line kind',
    ),
    ...unresolved(
      Object.keys(expect).map((key) => ({ path: `${path}.expect.${key}`, value: key })),
      [...componentsOf(subject), ...componentsOf(subject).map((name) => `gst:${name}`), 'gst:overall'],
      'component',
    ),
  ])
}
