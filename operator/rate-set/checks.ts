import { crashed } from '#rates/checks/contained.ts'
import type { OperatorCheck } from '#crds/operator-checks.ts'
import { IMPORTS_PRESENT, OBJECT_NAME, type Fault } from '#rates/checks/fault.ts'
import { yearFaults } from '#rates/checks/whole-set.ts'
import type { RateSetSpec } from '#rates/engine/grammar/rate-set.ts'
import { rateSetName } from '#rates/published/financial-year.ts'

/** A rate set to be checked: the name of its object, its spec, and the specs that it imports. */
export interface Checked {
  name: string
  spec: RateSetSpec
  imports: readonly RateSetSpec[]
}

export type Check = (checked: Checked) => Fault[]

/** Checks a set, in a thread or in this process. */
export type CheckSet = (checked: Checked) => Promise<Fault[]>

/** All faults of a spec, alone and with its imports: `checkRateSet`. */
export type SpecCheck = (spec: unknown, imports: RateSetSpec[]) => Fault[]

/** The checks in order; each runs only when the previous ones found nothing. */
export function rateSetChecks(checkSpec: SpecCheck): readonly Check[] {
  return [
    yearsInARow,
    nameIsCodeAndYear,
    importsNoCycle,
    importsAreThere,
    function rates(set) {
      return checkSpec(set.spec, [...set.imports])
    },
  ]
}

/** The faults of the first check that finds any; a check that throws counts as one fault. */
export function firstFaults(checks: readonly Check[], checked: Checked): Fault[] {
  for (const check of checks) {
    const faults = faultsOf(check, checked)
    if (faults.length > 0) return faults
  }
  return []
}

/** The checks in this process, for a caller that needs no thread. */
export function inProcess(checks: readonly Check[]): CheckSet {
  return (checked) => Promise.resolve(firstFaults(checks, checked))
}

function faultsOf(check: Check, checked: Checked): Fault[] {
  try {
    return check(checked)
  } catch (error) {
    return [crashed(check.name, error)]
  }
}

function yearsInARow({ spec }: Checked): Fault[] {
  return yearFaults(spec.financialYear)
}

function nameIsCodeAndYear({ name, spec }: Checked): Fault[] {
  const expected = rateSetName(spec.pricingCode, spec.financialYear)
  if (name === expected) return []
  return [{ check: OBJECT_NAME, path: 'pricingCode', message: `the object is named ${name}; expected ${expected}` }]
}

function importsNoCycle({ spec, imports }: Checked): Fault[] {
  const importing = imports
    .filter((each) => importCodes(each).includes(spec.pricingCode))
    .map((each) => each.pricingCode)
  if (importCodes(spec).includes(spec.pricingCode)) importing.push(spec.pricingCode)
  return importing.map((code) => ({
    check: 'import-cycle',
    path: 'imports',
    message: `${code} imports ${spec.pricingCode}`,
  }))
}

function importsAreThere({ spec, imports }: Checked): Fault[] {
  const importedCodes = new Set(imports.map((each) => each.pricingCode))
  return importCodes(spec).flatMap((code, at) => {
    if (importedCodes.has(code)) return []
    const message = `${code} ${spec.financialYear} does not exist, or has faults and was never published`
    return [{ check: IMPORTS_PRESENT, path: `imports[${at}]`, message }]
  })
}

/** The fault of a content that passed every check but has no attestation although one is required. */
export const NOT_ATTESTED = 'not-attested' satisfies OperatorCheck

/**
 * The content has an emergency attestation that is invalid. Waiting for staging does not help: a person must sign
 * again, and an alert says so within minutes.
 */
export const EMERGENCY_REFUSED = 'emergency-refused' satisfies OperatorCheck

/** Whether a content passed every check but is not attested. */
export const isUnattested = (check: string | undefined): boolean =>
  check === NOT_ATTESTED || check === EMERGENCY_REFUSED

/** The pricing codes that a spec imports. */
export function importCodes(spec: RateSetSpec): string[] {
  return Array.isArray(spec.imports) ? spec.imports : []
}
